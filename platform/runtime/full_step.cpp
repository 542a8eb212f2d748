#include "full_step.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "memory_plan.h"
#include "passes.h"
#include "step_graph.h"
#include "words.h"

namespace dve::runtime {
namespace {

using isa::Engine;
using Buffer = StepGraph::Buffer;

// Buffers of a pass as the graph knows them.
struct Buffers {
  Buffer x, dy, dx, y, triples, statistics, inv_std, gamma, beta, scale, shift, sums, a;
  std::vector<Buffer> tile_sums;
};

class FullStepPlanner {
 public:
  explicit FullStepPlanner(const PlanRequest& request)
      : layout_(place_passes(request)), resident_(layout_.resident), flops_(graph_.buffer()), table_(graph_.buffer()) {
    program_.request = request;
    program_.passes = layout_.passes;
  }

  Program run() {
    const Buffer parameter_ram = graph_.buffer();
    for (const isa::Word& word : load_parameter_ram(switches())) graph_.word(Engine::dve, word, {{}, {parameter_ram}});
    graph_.word(Engine::act, load_root_functions(), {{}, {table_}});
    std::optional<Buffers> shared;
    for (const Pass& pass : program_.passes) {
      if (resident_ || !shared) shared = new_buffers(pass);
      run_pass(pass, *shared);
    }
    move_pending(program_.final);
    graph_.finish(program_);
    return std::move(program_);
  }

 private:
  const PlanRequest& request() const { return program_.request; }
  const numerics::Switches& switches() const { return request().switches; }

  Buffers new_buffers(const Pass& pass) {
    Buffers b{};
    for (Buffer* buffer : {&b.x, &b.dy, &b.dx, &b.y, &b.triples, &b.statistics, &b.inv_std, &b.gamma, &b.beta, &b.scale,
                           &b.shift, &b.sums, &b.a})
      *buffer = graph_.buffer();
    b.tile_sums = {b.sums};
    if (pass.tiles.size() > 1) {
      b.tile_sums.clear();
      for (std::size_t t = 0; t < pass.tiles.size(); ++t) b.tile_sums.push_back(graph_.buffer());
    }
    return b;
  }

  void run_pass(const Pass& pass, const Buffers& buffers) {
    pass_ = &pass;
    b_ = buffers;
    context_ = {request().generation, request().dtype, pass.channels.count, static_cast<float>(request().elements)};
    loaded_x_.reset();
    loaded_dy_.reset();
    if (resident_) load_streams();
    load(LoadVector{Vector::gamma, pass.channels, pass.regions.gamma}, b_.gamma);
    load(LoadVector{Vector::beta, pass.channels, pass.regions.beta}, b_.beta);
    forward_statistics();
    gradient_sums();
    coefficients();
    results();
  }

  void forward_statistics() {
    const Regions& r = pass_->regions;
    std::uint64_t chunk = 0;
    for (std::size_t t = 0; t < pass_->tiles.size(); ++t) {
      need(Tensor::x, t);
      for (const ElementRange& part : parts_of({0, pass_->tiles[t].count}, kStatsChunk)) {
        const isa::Place to = shifted(*r.triples, static_cast<std::int64_t>(chunk * kPairBytes));
        emit(Engine::dve, stats2(context_, at(r.x, t, part.first), part.count, to), {{b_.x}, {b_.triples}});
        ++chunk;
      }
    }
    emit(Engine::dve, aggregate(context_, *r.triples, 2 * chunk, r.mean), {{b_.triples}, {b_.statistics}});
    emit(Engine::act, inverse_root(context_, r, request().eps), {{b_.statistics, table_}, {b_.inv_std}});
    emit(Engine::pool, tensor_tensor(context_, isa::AluOp::mult, r.gamma, r.inv_std, r.scale, 1),
         {{b_.gamma, b_.inv_std}, {b_.scale}});
    emit(Engine::dve, shift(context_, r), {{b_.statistics, b_.scale, b_.beta}, {b_.shift}});
    store(StoreStatistics{pass_->channels, r.mean}, b_.statistics);
    store(StoreInvStd{pass_->channels, r.inv_std}, b_.inv_std);
  }

  void gradient_sums() {
    const Regions& r = pass_->regions;
    for (std::size_t t = 0; t < pass_->tiles.size(); ++t) {
      need(Tensor::x, t);
      need(Tensor::dy, t);
      emit(Engine::dve, grad_accumulate2(context_, r, at(r.x, t), at(r.dy, t), pass_->tiles[t].count, r.tile_sums[t]),
           {{b_.x, b_.dy, b_.statistics, b_.inv_std}, {b_.tile_sums[t]}});
    }
    for (std::size_t t = 1; t < pass_->tiles.size(); ++t) {
      const bool first = t == 1;
      emit(Engine::pool,
           tensor_tensor(context_, isa::AluOp::add, first ? r.tile_sums[0] : r.sums, r.tile_sums[t], r.sums, 3),
           {{first ? b_.tile_sums[0] : b_.sums, b_.tile_sums[t]}, {b_.sums}});
    }
  }

  void coefficients() {
    const Regions& r = pass_->regions;
    const bool staged = switches().backprop_form == numerics::BackpropForm::staged;
    const float factor = staged ? 1.0F / context_.element_count : 1.0F;
    emit(Engine::dve, scaled(context_, r.scale, factor, shifted(r.sums, -8), 2), {{b_.scale}, {b_.a}});
    // ParamLoad, and every BackProp after it, read the lane flops.
    emit(Engine::dve, param_load(context_, r, switches()), {{b_.a, b_.sums, b_.statistics}, {flops_}});
    store(StoreSums{pass_->channels, r.sums}, b_.sums);
  }

  void results() {
    const Regions& r = pass_->regions;
    const bool normalised = takes_normalised_source(switches());
    for (std::size_t t = 0; t < pass_->tiles.size(); ++t) {
      const ElementRange& tile = pass_->tiles[t];
      need(Tensor::x, t);
      need(Tensor::dy, t);
      emit(Engine::act, affine(context_, r, at(r.x, t), at(r.y, t), tile.count), {{b_.x, b_.scale, b_.shift}, {b_.y}});
      if (normalised)
        emit(Engine::dve, normalise(context_, r, at(r.x, t), tile.count), {{b_.x, b_.statistics, b_.inv_std}, {b_.x}});
      emit(Engine::dve, back_prop(context_, at(r.x, t), at(r.dy, t), at(r.dx, t), tile.count),
           {{b_.x, b_.dy, flops_}, {b_.dx}});
      store(StoreY{pass_->channels, tile, at(r.y, t)}, b_.y);
      store(StoreDx{pass_->channels, tile, at(r.dx, t)}, b_.dx);
    }
  }

  // The tile's place in a buffer that holds one tile, or the whole stream when it is resident.
  isa::Place at(const isa::Place& buffer, std::size_t tile, std::uint64_t element = 0) const {
    const std::uint64_t first = (resident_ ? pass_->tiles[tile].first : 0) + element;
    return shifted(buffer, static_cast<std::int64_t>(first * isa::storage_size(request().dtype).value));
  }

  void load_streams() {
    const ElementRange whole{0, request().elements};
    load(LoadTensor{Tensor::x, pass_->channels, whole, pass_->regions.x}, b_.x);
    load(LoadTensor{Tensor::dy, pass_->channels, whole, pass_->regions.dy}, b_.dy);
  }

  // The next words read this tile: loads it unless it is there.
  void need(Tensor tensor, std::size_t tile) {
    auto& loaded = tensor == Tensor::dy ? loaded_dy_ : loaded_x_;
    if (resident_ || loaded == tile) return;
    const isa::Place& buffer = tensor == Tensor::dy ? pass_->regions.dy : pass_->regions.x;
    load(LoadTensor{tensor, pass_->channels, pass_->tiles[tile], buffer}, tensor == Tensor::dy ? b_.dy : b_.x);
    loaded = tile;
  }

  void load(const Action& action, Buffer buffer) {
    if (resident_) return program_.initial.push_back(action);
    pending_.push_back(action);
    touches_.writes.push_back(buffer);
  }

  void store(const Action& action, Buffer buffer) {
    if (resident_) return program_.final.push_back(action);
    pending_.push_back(action);
    touches_.reads.push_back(buffer);
  }

  // Appends a word behind what the host has to do before it. Stores wait until something is to be loaded; loads before
  // the first word that touches memory are initial ones.
  void emit(Engine engine, const isa::Word& word, StepGraph::Touches touches) {
    if (!started_) move_pending(program_.initial);
    started_ = true;
    if (!touches_.writes.empty()) {
      graph_.host_step(std::move(pending_), touches_);
      pending_.clear();
      touches_ = {};
    }
    graph_.word(engine, word, std::move(touches));
  }

  void move_pending(Actions& into) {
    into.insert(into.end(), pending_.begin(), pending_.end());
    pending_.clear();
    touches_ = {};
  }

  PassLayout layout_;
  bool resident_;
  Program program_;
  StepGraph graph_;
  Buffer flops_, table_;
  const Pass* pass_ = nullptr;
  Buffers b_{};
  WordContext context_;
  bool started_ = false;                             // a word that touches memory has been emitted
  Actions pending_;                                  // of the host, due before the next word
  StepGraph::Touches touches_;                       // what they touch
  std::optional<std::size_t> loaded_x_, loaded_dy_;  // tile in the x and dy buffer of this pass
};

}  // namespace

Program plan_full_step(const PlanRequest& request) { return FullStepPlanner(request).run(); }

}  // namespace dve::runtime
