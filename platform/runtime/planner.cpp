#include "planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "full_step.h"
#include "hbm_step.h"
#include "passes.h"
#include "words.h"

namespace dve::runtime {
namespace {

void check_hbm(const PlanRequest& request) {
  const InHbm& hbm = request.place.hbm;
  const char* key = hbm.x ? "place.x" : hbm.dy ? "place.dy" : "place.dx";
  if (request.step == Step::full)
    throw PlanError(fmt::format("{} is hbm, expected sbuf or psum: a full step cannot use HBM", key));
  if (takes_normalised_source(request.switches))
    throw PlanError(fmt::format(
        "{} is hbm with numerics.src0_is x_norm, expected ofmap: the host rewrites x in on-chip memory only", key));
  if (request.load_engines == 0 || request.load_engines >= contention::kDmaEngines)
    throw PlanError(
        fmt::format("dma.load_engines is {}, expected 1 to {}", request.load_engines, contention::kDmaEngines - 1));
}

void check(const PlanRequest& request) {
  using isa::Space;
  if (request.channels == 0) throw PlanError("layer has 0 channels, expected at least 1");
  if (request.elements == 0 || request.elements > kMaxElements) {
    throw PlanError(fmt::format("layer has {} elements a channel, expected 1 to {}", request.elements, kMaxElements));
  }
  if (request.dtype != isa::Dtype::fp32 && request.dtype != isa::Dtype::bf16 && request.dtype != isa::Dtype::fp16) {
    throw PlanError(fmt::format("device dtype is {}, expected fp32, bf16 or fp16", isa::name(request.dtype)));
  }
  if (request.step == Step::full && request.statistics_given)
    throw PlanError("statistics are given, expected computed ones: a full step computes them itself");
  const Placement& place = request.place;
  const std::pair<const char*, Space> keys[] = {{"place.x", place.x},
                                                {"place.dy", place.dy},
                                                {"place.dx", place.dx},
                                                {"place.y", place.y},
                                                {"place.sums", place.sums}};
  for (const auto& [key, space] : keys) {
    if (!isa::geometry(request.generation, space).exists()) {
      throw PlanError(fmt::format("{} is {}, expected sbuf: {} has no PSUM", key, isa::to_string(space),
                                  isa::to_string(request.generation)));
    }
  }
  if (place.hbm.any()) check_hbm(request);
  if (place.x == Space::psum && place.dy == Space::psum) {
    throw PlanError("place.x and place.dy are both psum, expected at most one: a word cannot read two PSUM sources");
  }
  // What a word writes in the device dtype; a full step may normalise x in place.
  const bool writes_x = request.step == Step::full && takes_normalised_source(request.switches);
  const std::pair<const char*, Space> written[] = {
      {"place.dx", place.dx}, {"place.y", place.y}, {"place.x", writes_x ? place.x : Space::sbuf}};
  for (const auto& [key, space] : written) {
    if (space == Space::psum && isa::storage_size(request.dtype).value != 4)
      throw PlanError(fmt::format("{} is psum with dtype {}, expected sbuf: PSUM takes 4-byte results only", key,
                                  isa::name(request.dtype)));
  }
  if (request.microbatches == 0 || request.microbatches > request.elements) {
    throw PlanError(fmt::format("microbatches is {}, expected 1 to {}, the elements of a channel", request.microbatches,
                                request.elements));
  }
}

class Planner {
 public:
  explicit Planner(const PlanRequest& request) { program_.request = request; }

  Program run() {
    PassLayout layout = place_passes(request());
    resident_ = layout.resident;
    program_.passes = std::move(layout.passes);
    if (reads_parameter_ram(request())) program_.words = load_parameter_ram(request().switches);
    for (const Pass& pass : program_.passes) run_pass(pass);
    take(program_.final);
    return std::move(program_);
  }

 private:
  const PlanRequest& request() const { return program_.request; }

  void run_pass(const Pass& pass) {
    context_ = {request().generation, request().dtype, pass.channels.count, static_cast<float>(request().elements)};
    loaded_x_.reset();
    loaded_dy_.reset();
    if (request().statistics_given) {
      Actions& actions = resident_ ? program_.initial : pending_;
      actions.push_back(LoadVector{Vector::mean, pass.channels, pass.regions.mean});
      actions.push_back(LoadVector{Vector::inv_std, pass.channels, pass.regions.inv_std});
      actions.push_back(WriteA{pass.channels, shifted(pass.regions.sums, -8)});
    } else {
      statistics(pass);
    }
    sums(pass);
    gradient(pass);
  }

  void statistics(const Pass& pass) {
    std::uint64_t chunk = 0;
    for (std::size_t t = 0; t < pass.tiles.size(); ++t) {
      need(pass, Tensor::x, t);
      for (const ElementRange& part : parts_of({0, pass.tiles[t].count}, kStatsChunk)) {
        const auto at = static_cast<std::int64_t>(part.first * isa::storage_size(request().dtype).value);
        const auto to = static_cast<std::int64_t>(chunk * kPairBytes);
        emit(stats2(context_, shifted(pass.regions.x, at), part.count, shifted(*pass.regions.triples, to)));
        ++chunk;
      }
    }
    emit(aggregate(context_, *pass.regions.triples, 2 * chunk, pass.regions.mean));
    pending_.push_back(StoreStatistics{pass.channels, pass.regions.mean});
    pending_.push_back(ComputeInvStd{pass.channels, pass.regions.inv_std});
    pending_.push_back(WriteA{pass.channels, shifted(pass.regions.sums, -8)});
  }

  void sums(const Pass& pass) {
    for (std::size_t t = 0; t < pass.tiles.size(); ++t) {
      need(pass, Tensor::x, t);
      need(pass, Tensor::dy, t);
      emit(grad_accumulate2(context_, pass.regions, pass.regions.x, pass.regions.dy, pass.tiles[t].count,
                            pass.regions.tile_sums[t]));
    }
    if (pass.tiles.size() > 1)
      pending_.push_back(AddTileSums{pass.channels, pass.regions.tile_sums, pass.regions.sums});
  }

  void gradient(const Pass& pass) {
    const numerics::Switches& switches = request().switches;
    const bool normalised = takes_normalised_source(switches);
    Actions& stores = resident_ ? program_.final : pending_;
    for (std::size_t t = 0; t < pass.tiles.size(); ++t) {
      need(pass, normalised ? Tensor::x_norm : Tensor::x, t);
      need(pass, Tensor::dy, t);
      if (t == 0) emit(param_load(context_, pass.regions, switches));  // after `need`: one host step for both words
      emit(back_prop(context_, pass.regions.x, pass.regions.dy, pass.regions.dx, pass.tiles[t].count));
      stores.push_back(StoreDx{pass.channels, pass.tiles[t], pass.regions.dx});
    }
    stores.push_back(StoreSums{pass.channels, pass.regions.sums});
  }

  // The next word reads this tile: loads it unless it is there. Resident passes load it before the start; x_norm takes
  // the place of x between two words.
  void need(const Pass& pass, Tensor tensor, std::size_t tile) {
    auto& loaded = tensor == Tensor::dy ? loaded_dy_ : loaded_x_;
    const std::pair<Tensor, std::size_t> wanted{tensor, tile};
    if (loaded == wanted) return;
    Actions& actions = resident_ && tensor != Tensor::x_norm ? program_.initial : pending_;
    actions.push_back(
        LoadTensor{tensor, pass.channels, pass.tiles[tile], tensor == Tensor::dy ? pass.regions.dy : pass.regions.x});
    loaded = wanted;
  }

  // Appends a word. Actions that are due before it become a host step between the word before and this one, or, before
  // the first word that touches memory, part of the initial actions.
  void emit(isa::Word word) {
    if (!started_) take(program_.initial);
    started_ = true;
    if (!pending_.empty()) {
      program_.steps.emplace_back();
      take(program_.steps.back());
      set_increment(program_.words.back(), kStepRequest);
      set_wait(word, {kStepDone, static_cast<std::uint32_t>(program_.steps.size())});
    }
    program_.words.push_back(word);
  }

  void take(Actions& into) {
    into.insert(into.end(), pending_.begin(), pending_.end());
    pending_.clear();
  }

  Program program_;
  bool resident_ = false;  // every pass has regions of its own
  bool started_ = false;   // a word that touches memory has been emitted
  Actions pending_;        // due before the next word
  WordContext context_;
  std::optional<std::pair<Tensor, std::size_t>> loaded_x_, loaded_dy_;  // tile in the x and dy buffer of this pass
};

}  // namespace

Program plan(const PlanRequest& request) {
  check(request);
  if (request.place.hbm.any()) return plan_hbm_step(request);
  return request.step == Step::full ? plan_full_step(request) : Planner(request).run();
}

std::uint64_t hbm_capacity(isa::Generation generation) {
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
  switch (generation) {
    case isa::Generation::sunda:
      return 32 * kGibibyte / 2;
    case isa::Generation::cayman:
      return 96 * kGibibyte / 8;
    default:
      return 144 * kGibibyte / 8;
  }
}

std::uint64_t longest_stream(const Program& program) {
  std::uint64_t longest = 0;
  for (const Pass& pass : program.passes) {
    for (const ElementRange& tile : pass.tiles) longest = std::max(longest, tile.count);
  }
  return longest;
}

bool takes_normalised_source(const numerics::Switches& switches) {
  return switches.backprop_form == numerics::BackpropForm::textbook && switches.src0_is == numerics::Src0Is::x_norm;
}

std::uint64_t triples_per_channel(const Program& program) {
  if (program.request.statistics_given || program.passes.empty()) return 0;
  std::uint64_t chunks = 0;
  for (const ElementRange& tile : program.passes[0].tiles) chunks += (tile.count + kStatsChunk - 1) / kStatsChunk;
  return 2 * chunks;
}

}  // namespace dve::runtime
