// Words whose data the caller has packed.
#include <array>

#include "channels.h"
#include "core.h"

namespace dve::execute {
namespace {

template <class Byte>
std::array<Byte*, isa::kPartitions> channels_of(Byte* packed, const Access& access) {
  std::array<Byte*, isa::kPartitions> channels{};
  for (std::uint32_t c = 0; c < access.channels; ++c) channels[c] = packed + c * channel_bytes(access);
  return channels;
}

}  // namespace

Result Core::compute(const Plan& plan, const PackedInputs& packed, const numerics::ParamTable& table) {
  std::vector<std::array<const std::uint8_t*, isa::kPartitions>> places;
  Inputs inputs;
  for (std::size_t i = 0; i < plan.sources.size(); ++i)
    places.push_back(channels_of(packed[i].data(), plan.sources[i]));
  for (std::size_t i = 0; i < plan.sources.size(); ++i) inputs.push_back({places[i].data(), 0, plan.sources[i].dtype});
  Result result;
  if (!plan.destination) {
    static_cast<Outcome&>(result) = compute(plan, inputs, kernels::ResultRows{}, table);
    return result;
  }
  result.destination.resize(plan.destination->packed_bytes().value);
  const auto destination = channels_of(result.destination.data(), *plan.destination);
  static_cast<Outcome&>(result) =
      compute(plan, inputs, kernels::ResultRows{destination.data(), 0, plan.destination->dtype}, table);
  return result;
}

}  // namespace dve::execute
