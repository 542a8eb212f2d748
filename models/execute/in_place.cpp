#include "in_place.h"

#include <algorithm>

namespace dve::execute {
namespace {

using isa::Dtype;
using isa::Opcode;

// Words whose results are complete before the first is written, or whose elements depend on those of their own index
// alone; none of them can fault.
bool has_form(const Plan& plan, const numerics::Switches& switches) {
  switch (plan.opcode) {
    case Opcode::batch_norm_stats2:
    case Opcode::batch_norm_aggregate:
    case Opcode::batch_norm_grad_accumulate:
    case Opcode::batch_norm_grad_accumulate2:
      return true;
    case Opcode::batch_norm_back_prop:
      return kernels::has_back_propagate(switches);
    case Opcode::tensor_tensor_arith_op:
      return kernels::has_tensor_tensor(isa::decode_as<isa::S3S3D3Tt>(plan.word).op);
    default:
      return false;
  }
}

// First and last byte of an operand in its partitions.
struct Span {
  std::int64_t first, last;
  explicit Span(const Access& access) {
    const auto size = static_cast<std::int64_t>(isa::storage_size(access.dtype).value);
    const isa::AccessPattern::Extent extent = access.pattern.extent();
    first = access.start.offset + extent.lowest * size;
    last = access.start.offset + extent.highest * size + size - 1;
  }
};

bool share_bytes(const Access& a, const Access& b) {
  const std::uint32_t a_first = isa::number(a.start.partition), b_first = isa::number(b.start.partition);
  if (a.start.space != b.start.space || a_first >= b_first + b.channels || b_first >= a_first + a.channels)
    return false;
  const Span in_a(a), in_b(b);
  return in_a.first <= in_b.last && in_b.first <= in_a.last;
}

// dx over dy or x: the same elements at the same place, each read before it is written. The dtypes are those for which
// the kernel reads and writes in one form.
bool same_elements(const Access& source, const Access& destination) {
  const Dtype d = source.dtype;
  return (d == Dtype::fp32 || d == Dtype::bf16 || d == Dtype::fp16) && d == destination.dtype &&
         source.start == destination.start && source.pattern.contiguous() && source.elements == destination.elements;
}

}  // namespace

bool writes_in_place(const Plan& plan, const numerics::Switches& switches) {
  if (!plan.destination || !plan.destination->pattern.contiguous() || !has_form(plan, switches)) return false;
  const bool elementwise = plan.opcode == Opcode::batch_norm_back_prop;
  return std::all_of(plan.sources.begin(), plan.sources.end(), [&](const Access& source) {
    return !share_bytes(source, *plan.destination) || (elementwise && same_elements(source, *plan.destination));
  });
}

}  // namespace dve::execute
