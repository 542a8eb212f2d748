#include "hbm_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "hbm_layout.h"
#include "passes.h"
#include "words.h"

namespace dve::runtime {
namespace {

// The two buffers of a tensor that is loaded from HBM.
class LoadBuffers {
 public:
  LoadBuffers(const char* tensor, const std::array<isa::Place, 2>& places) : tensor_(tensor) {
    for (std::size_t k = 0; k < places.size(); ++k) buffers_[k].place = places[k];
  }

  struct Buffer {
    isa::Place place;
    std::optional<std::pair<std::uint32_t, std::size_t>> holds;  // pass and tile
    std::uint32_t loads = 0;                                     // transfers of the load ring until the tile is there
    std::uint32_t last_use = 0;                                  // count of kTilesUsed once nobody needs the contents
  };

  // The buffer with this tile; `load` is called first when it must be loaded.
  template <class Load>
  Buffer& fetch(std::uint32_t pass, std::size_t tile, Load load) {
    const std::pair<std::uint32_t, std::size_t> wanted{pass, tile};
    for (Buffer& buffer : buffers_) {
      if (buffer.holds == wanted) return buffer;
    }
    Buffer& older = buffers_[0].last_use <= buffers_[1].last_use ? buffers_[0] : buffers_[1];
    load(older, fmt::format("{} tile {} of pass {}", tensor_, tile, pass));
    older.holds = wanted;
    return older;
  }

 private:
  const char* tensor_;
  std::array<Buffer, 2> buffers_;
};

class HbmPlanner {
 public:
  explicit HbmPlanner(const PlanRequest& request)
      : layout_(place_in_hbm(request)), x_("x", layout_.x), dy_("dy", layout_.dy) {
    program_.request = request;
    program_.passes = layout_.passes;
    program_.hbm_bytes = layout_.hbm_bytes;
  }

  Program run() {
    if (reads_parameter_ram(request())) program_.words = load_parameter_ram(request().switches);
    stage();
    for (pass_number_ = 0; pass_number_ < program_.passes.size(); ++pass_number_) run_pass();
    if (stores_ != 0) emit(drain(), {{kStoresDone, stores_ * store_engines()}});
    collect();
    return std::move(program_);
  }

 private:
  using Waits = std::vector<SemaphoreWait>;

  const PlanRequest& request() const { return program_.request; }
  const Pass& pass() const { return program_.passes[pass_number_]; }
  const InHbm& in_hbm() const { return request().place.hbm; }
  std::uint64_t element_bytes() const { return isa::storage_size(request().dtype).value; }
  std::uint32_t store_engines() const {
    return static_cast<std::uint32_t>(contention::kDmaEngines) - request().load_engines;
  }

  // --- the host's part ---

  void stage() {
    Actions& initial = program_.initial;
    if (in_hbm().x) initial.push_back(StageTensor{Tensor::x, layout_.x_hbm});
    if (in_hbm().dy) initial.push_back(StageTensor{Tensor::dy, layout_.dy_hbm});
    const ElementRange whole{0, request().elements};
    for (const Pass& p : program_.passes) {
      if (!in_hbm().x) initial.push_back(LoadTensor{Tensor::x, p.channels, whole, p.regions.x});
      if (!in_hbm().dy) initial.push_back(LoadTensor{Tensor::dy, p.channels, whole, p.regions.dy});
      if (!request().statistics_given) continue;
      initial.push_back(LoadVector{Vector::mean, p.channels, p.regions.mean});
      initial.push_back(LoadVector{Vector::inv_std, p.channels, p.regions.inv_std});
      initial.push_back(WriteA{p.channels, shifted(p.regions.sums, -8)});
    }
  }

  void collect() {
    if (in_hbm().dx) program_.final.push_back(CollectDx{layout_.dx_hbm});
    for (const Pass& p : program_.passes) {
      for (const ElementRange& tile : p.tiles) {
        if (!in_hbm().dx) program_.final.push_back(StoreDx{p.channels, tile, part_of(p.regions.dx, tile)});
      }
      program_.final.push_back(StoreSums{p.channels, p.regions.sums});
    }
  }

  // --- words ---

  void run_pass() {
    context_ = {request().generation, request().dtype, pass().channels.count, static_cast<float>(request().elements)};
    if (!request().statistics_given) statistics();
    sums();
    gradient();
  }

  void statistics() {
    std::uint64_t chunk = 0;
    const Regions& regions = pass().regions;
    for (std::size_t t = 0; t < pass().tiles.size(); ++t) {
      Use use;
      const isa::Place x = source(Tensor::x, t, use);
      const std::vector<ElementRange> parts = parts_of({0, pass().tiles[t].count}, kStatsChunk);
      for (const ElementRange& part : parts) {
        const auto at = static_cast<std::int64_t>(part.first * element_bytes());
        const auto to = static_cast<std::int64_t>(chunk++ * kPairBytes);
        isa::Word word = stats2(context_, shifted(x, at), part.count, shifted(*regions.triples, to));
        if (part.first + part.count == pass().tiles[t].count) count_use(word, use);
        emit(word, use.waits);
      }
    }
    emit(aggregate(context_, *regions.triples, 2 * chunk, regions.mean), {});
    host_step({StoreStatistics{pass().channels, regions.mean}, ComputeInvStd{pass().channels, regions.inv_std},
               WriteA{pass().channels, shifted(regions.sums, -8)}});
  }

  void sums() {
    const Regions& regions = pass().regions;
    for (std::size_t t = 0; t < pass().tiles.size(); ++t) {
      Use use;
      const isa::Place x = source(Tensor::x, t, use), dy = source(Tensor::dy, t, use);
      isa::Word word = grad_accumulate2(context_, regions, x, dy, pass().tiles[t].count, regions.tile_sums[t]);
      count_use(word, use);
      emit(word, use.waits);
    }
    if (pass().tiles.size() > 1) host_step({AddTileSums{pass().channels, regions.tile_sums, regions.sums}});
  }

  void gradient() {
    emit(param_load(context_, pass().regions, request().switches), {});
    for (std::size_t t = 0; t < pass().tiles.size(); ++t) {
      Use use;
      const isa::Place x = source(Tensor::x, t, use), dy = source(Tensor::dy, t, use);
      const isa::Place dx = destination(t, use);
      isa::Word word = back_prop(context_, x, dy, dx, pass().tiles[t].count);
      count_use(word, use);
      emit(word, use.waits);
      if (in_hbm().dx) store(dx, t);
    }
  }

  // --- tiles ---

  // Buffers that a tile's words read, and what the words wait for.
  struct Use {
    std::vector<LoadBuffers::Buffer*> buffers;
    Waits waits;
  };

  // Of a whole stream in memory.
  isa::Place part_of(const isa::Place& whole, const ElementRange& tile) const {
    return shifted(whole, static_cast<std::int64_t>(tile.first * element_bytes()));
  }

  isa::Place source(Tensor tensor, std::size_t tile, Use& use) {
    const bool x = tensor == Tensor::x;
    const ElementRange& range = pass().tiles[tile];
    if (x ? !in_hbm().x : !in_hbm().dy) return part_of(x ? pass().regions.x : pass().regions.dy, range);
    const std::uint64_t tensor_hbm = x ? layout_.x_hbm : layout_.dy_hbm;
    LoadBuffers::Buffer& buffer =
        (x ? x_ : dy_).fetch(pass_number_, tile, [&](LoadBuffers::Buffer& free, const std::string& label) {
          dma::Transfer load = transfer(tensor_hbm, free.place, tile, label);
          load.engines = request().load_engines;
          load.update = kLoadsDone;
          if (free.last_use > loads_awaited_) load.waits = {{kTilesUsed, free.last_use}};
          loads_awaited_ = std::max(loads_awaited_, free.last_use);
          program_.transfers[kLoadRing].push_back(std::move(load));
          free.loads = ++loads_;
        });
    use.buffers.push_back(&buffer);
    use.waits.push_back({kLoadsDone, buffer.loads * request().load_engines});
    return buffer.place;
  }

  // The next dx buffer, or the tile's part of the resident stream.
  isa::Place destination(std::size_t tile, Use& use) {
    if (!in_hbm().dx) return part_of(pass().regions.dx, pass().tiles[tile]);
    if (stores_ >= 2) use.waits.push_back({kStoresDone, (stores_ - 1) * store_engines()});
    return layout_.dx[stores_ % 2];
  }

  void store(const isa::Place& dx, std::size_t tile) {
    dma::Transfer transfer_out =
        transfer(layout_.dx_hbm, dx, tile, fmt::format("dx tile {} of pass {}", tile, pass_number_));
    transfer_out.direction = dma::Direction::store;
    transfer_out.first_engine = request().load_engines;
    transfer_out.engines = store_engines();
    transfer_out.update = kStoresDone;
    transfer_out.waits = {{kTilesUsed, used_}};
    program_.transfers[kStoreRing].push_back(std::move(transfer_out));
    ++stores_;
  }

  dma::Transfer transfer(std::uint64_t tensor_hbm, const isa::Place& place, std::size_t tile,
                         const std::string& label) const {
    const std::uint64_t row_bytes = request().elements * element_bytes();
    dma::Transfer t;
    t.hbm = tensor_hbm + pass().channels.first * row_bytes + pass().tiles[tile].first * element_bytes();
    t.row_stride = row_bytes;
    t.place = place;
    t.channels = pass().channels.count;
    t.bytes_per_partition = pass().tiles[tile].count * element_bytes();
    t.label = label;
    return t;
  }

  // The word is the last one to use these buffers.
  void count_use(isa::Word& word, const Use& use) {
    set_increment(word, kTilesUsed);
    ++used_;
    for (LoadBuffers::Buffer* buffer : use.buffers) buffer->last_use = used_;
  }

  // --- waits ---

  // A drained DVE asks the host; the next word waits for its answer.
  void host_step(Actions actions) {
    program_.steps.push_back(std::move(actions));
    isa::Word ask = drain();
    set_increment(ask, kStepRequest);
    program_.words.push_back(ask);
    answer_ = {{kStepDone, static_cast<std::uint32_t>(program_.steps.size())}};
  }

  // What an earlier word has waited for is not waited for again.
  void emit(const isa::Word& word, Waits waits) {
    waits.insert(waits.begin(), answer_.begin(), answer_.end());
    answer_.clear();
    Waits open;
    for (const SemaphoreWait& wait : waits) {
      std::uint32_t& awaited = awaited_[isa::number(wait.semaphore)];
      if (wait.at_least <= awaited) continue;
      awaited = wait.at_least;
      const auto same = std::find_if(open.begin(), open.end(),
                                     [&](const SemaphoreWait& other) { return other.semaphore == wait.semaphore; });
      if (same == open.end()) {
        open.push_back(wait);
      } else {
        same->at_least = wait.at_least;
      }
    }
    append_waiting(program_.words, word, std::move(open));
  }

  Program program_;
  HbmLayout layout_;
  LoadBuffers x_, dy_;
  std::uint32_t pass_number_ = 0;
  WordContext context_;
  std::uint32_t loads_ = 0, stores_ = 0, used_ = 0;  // transfers so far; uses of tiles so far
  std::uint32_t loads_awaited_ = 0;                  // uses that the load ring has waited for
  Waits answer_;                                     // of the host, due before the next word
  std::map<std::uint32_t, std::uint32_t> awaited_;   // by semaphore
};

}  // namespace

Program plan_hbm_step(const PlanRequest& request) { return HbmPlanner(request).run(); }

}  // namespace dve::runtime
