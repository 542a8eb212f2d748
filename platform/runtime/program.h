// What a layer's backward step becomes: words for the device, actions for the host, and where everything lies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "dve/dma/dma.h"
#include "dve/isa/isa.h"
#include "dve/numerics/numerics.h"

namespace dve::runtime {

// Semaphores of the host-step handshake (interfaces.md 2): the last word before step k increments the first one at
// completion, the first word after it waits until the second one is at least k. The numbers are a choice of this
// project: the vendor's runtime keeps some semaphores for itself, without saying which (isa.md 14).
inline constexpr isa::SemaphoreIndex kStepRequest{16};
inline constexpr isa::SemaphoreIndex kStepDone{17};

// Progress of each engine in a full step: incremented by the words that another engine waits for.
constexpr isa::SemaphoreIndex progress_semaphore(isa::Engine engine) {
  return static_cast<isa::SemaphoreIndex>(18 + isa::index_of(engine));
}

// Rings of DMA transfers, and the semaphores that keep them and the DVE in step when tensors stay in HBM. Each engine
// of a transfer adds 1 at its completion; each DVE word that is the last one to use a tile adds 1 at its completion.
inline constexpr std::size_t kRings = 2;
inline constexpr std::size_t kLoadRing = 0, kStoreRing = 1;
inline constexpr isa::SemaphoreIndex kLoadsDone{21};
inline constexpr isa::SemaphoreIndex kStoresDone{22};
inline constexpr isa::SemaphoreIndex kTilesUsed{23};
using Rings = std::array<std::vector<dma::Transfer>, kRings>;

// Share of a core in the HBM of its chip (microarchitecture.md 1 and 5); maverick is taken to have mariana's.
std::uint64_t hbm_capacity(isa::Generation generation);

// Streams of more elements are refused, so that byte counts cannot overflow.
inline constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;

// Channels [first, first + count) of the layer.
struct ChannelRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;  // 1..128: one pass
};

// Elements [first, first + count) of every channel's stream.
struct ElementRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

enum class Tensor : std::uint8_t {
  x,       // device x of the layer
  x_norm,  // (x - mean) * inv_std in binary32, converted to the device dtype: for numerics.src0_is = x_norm
  dy       // device dy of the layer
};
enum class Vector : std::uint8_t { mean, inv_std, gamma, beta };

// The host's actions. A place names the first channel's partition and the offset; the next channels follow in the next
// partitions at the same offset. Tensor tiles are contiguous, in the device dtype; everything else is fp32.
struct LoadTensor {  // host to device: one tile
  Tensor tensor = Tensor::x;
  ChannelRange channels;
  ElementRange elements;
  isa::Place place;
};
struct LoadVector {  // host to device: one value a channel
  Vector vector = Vector::mean;
  ChannelRange channels;
  isa::Place place;
};
struct StoreStatistics {  // device to host: mean and variance, as Aggregate wrote them
  ChannelRange channels;
  isa::Place place;
};
struct ComputeInvStd {  // fp32(1 / sqrt(double(var) + eps)) of the stored variance, to the device
  ChannelRange channels;
  isa::Place place;
};
struct WriteA {  // A twice: 8 bytes. staged: (gamma * inv_std) / N; textbook: gamma * inv_std
  ChannelRange channels;
  isa::Place place;
};
struct AddTileSums {  // three sums of every tile added in tile order, binary32, to the device
  ChannelRange channels;
  std::vector<isa::Place> tiles;
  isa::Place place;
};
struct StoreDx {  // device to host: one tile of dx
  ChannelRange channels;
  ElementRange elements;
  isa::Place place;
};
struct StoreY {  // device to host: one tile of y
  ChannelRange channels;
  ElementRange elements;
  isa::Place place;
};
struct StoreInvStd {  // device to host: the inverse standard deviation that the device computed
  ChannelRange channels;
  isa::Place place;
};
struct StoreSums {  // device to host: the three sums in numerics.dst_order, of which d_beta and d_gamma are results
  ChannelRange channels;
  isa::Place place;
};
// Whole tensors in HBM, channel after channel as in the layer; `hbm` in bytes from the start of HBM.
struct StageTensor {          // host to HBM
  Tensor tensor = Tensor::x;  // x or dy
  std::uint64_t hbm = 0;
};
struct CollectDx {  // HBM to host
  std::uint64_t hbm = 0;
};
using Action = std::variant<LoadTensor, LoadVector, StoreStatistics, ComputeInvStd, WriteA, AddTileSums, StoreDx,
                            StoreY, StoreInvStd, StoreSums, StageTensor, CollectDx>;
using Actions = std::vector<Action>;

// Tensors that stay in HBM; DMA moves their tiles to and from buffers in SBUF.
struct InHbm {
  bool x = false, dy = false, dx = false;
  bool any() const { return x || dy || dx; }
};

// Where the tensors of a program lie.
struct Placement {
  isa::Space x = isa::Space::sbuf;
  isa::Space dy = isa::Space::sbuf;
  isa::Space dx = isa::Space::sbuf;
  isa::Space y = isa::Space::sbuf;
  isa::Space sums = isa::Space::sbuf;  // sums of the tiles, their total, and A; other vectors lie in SBUF
  InHbm hbm;                           // x, dy and dx in HBM: their buffers lie in SBUF, `sbuf` above
};

// What a program computes (interfaces.md 1).
enum class Step : std::uint8_t {
  backward,  // dx, dgamma, dbeta on the DVE; the host helps with inv_std, A and the sums of tiles
  full       // forward and backward on DVE, ACT and POOL, without arithmetic on the host
};

// What there is to plan.
struct PlanRequest {
  Step step = Step::backward;
  std::uint32_t channels = 0;           // C
  std::uint64_t elements = 0;           // n: stream length of a channel, N of the formulas
  isa::Dtype dtype = isa::Dtype::fp32;  // of x, dy and dx: fp32, bf16 or fp16
  bool statistics_given = true;         // mean and inv_std come from the layer; backward only
  std::uint64_t microbatches = 1;       // GradAccum result sets that are added, at least; 1 to elements
  double eps = 1e-5;                    // added to the variance; in the words of a full step
  isa::Generation generation = isa::Generation::cayman;
  numerics::Switches switches;
  Placement place;
  // With tensors in HBM.
  std::uint64_t tile_elements = 0;  // longest tile; 0: the longest that fits
  std::uint32_t load_engines = 8;   // 1 to 15 DMA engines that load; the rest of the 16 store
};

// Buffers of a pass. All start at partition 0, at offsets that are multiples of 64.
struct Regions {
  isa::Place x, dy, dx;  // one tile each, in HBM: the first of two buffers; resident: the whole stream
  isa::Place mean;       // computed statistics: mean, then variance
  isa::Place inv_std;
  isa::Place sums;                    // three sums of the whole batch; A stands twice in the 8 bytes before it
  std::vector<isa::Place> tile_sums;  // three sums of each tile; one tile: the same place as `sums`
  std::optional<isa::Place> triples;  // computed statistics: all triples of the pass
  // full
  isa::Place y;            // as x
  isa::Place gamma, beta;  // one value each
  isa::Place scale;        // gamma * inv_std
  isa::Place shift;        // beta - mean * scale
};

// Up to 128 channels that run together.
struct Pass {
  ChannelRange channels;
  std::vector<ElementRange> tiles;
  Regions regions;
};

// Words [first, first + count) of a program, which one engine executes in order.
struct Stream {
  isa::Engine engine = isa::Engine::dve;
  std::size_t first = 0;
  std::size_t count = 0;
};

struct Program {
  PlanRequest request;
  std::vector<isa::Word> words;  // the streams one after the other
  std::vector<Stream> streams;   // none: the DVE executes all words
  std::vector<Pass> passes;
  Actions initial;              // before the device starts
  std::vector<Actions> steps;   // steps[k - 1] is host step k
  Actions final;                // after the device has finished
  Rings transfers;              // what DMA does meanwhile
  std::uint64_t hbm_bytes = 0;  // HBM that transfers and actions use; 0: none
};

// BackProp takes (x - mean) * inv_std, rounded to the device dtype, as its source 0: only the textbook form looks at
// numerics.src0_is.
bool takes_normalised_source(const numerics::Switches& switches);

// Elements of the longest stream that one GradAccum of the program reduces.
std::uint64_t longest_stream(const Program& program);

// (count, mean, n*var) triples that one channel's Aggregate merges; 0 when the statistics are given.
std::uint64_t triples_per_channel(const Program& program);

}  // namespace dve::runtime
