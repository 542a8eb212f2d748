// What must hold for every plan.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "dve/runtime/runtime.h"
#include "plan_walker.h"

namespace dve::test {

std::string describe(const runtime::PlanRequest& request);

// Plans and walks in `orders` orders (plan_walker.h): no problems, every word legal on its stream's engine, every
// element in every kind of word once and stored once. Failures of GoogleTest otherwise.
void check_plan(const runtime::PlanRequest& request, std::uint32_t orders = 1);

// Generation, dtype, switches, placement and microbatches at random, as far as they can be planned. `pick(n)` gives a
// number below n.
template <class Pick>
void randomise(runtime::PlanRequest& r, Pick pick) {
  r.generation = isa::kGenerations[pick(5)];
  r.dtype = std::array{isa::Dtype::fp32, isa::Dtype::bf16, isa::Dtype::fp16}[pick(3)];
  r.switches.dst_order = static_cast<numerics::DstOrder>(pick(2));
  r.switches.backprop_form = static_cast<numerics::BackpropForm>(pick(2));
  r.switches.src0_is = static_cast<numerics::Src0Is>(pick(2));
  r.switches.param_ram_index = static_cast<numerics::ParamRamIndex>(pick(2));
  r.switches.param_ram_offset_unit = static_cast<numerics::ParamRamOffsetUnit>(pick(2));
  const auto space = [&] {
    return r.generation != isa::Generation::maverick && pick(2) == 0 ? isa::Space::psum : isa::Space::sbuf;
  };
  r.place.x = space();
  r.place.dy = r.place.x == isa::Space::psum ? isa::Space::sbuf : space();
  r.place.dx = r.dtype == isa::Dtype::fp32 ? space() : isa::Space::sbuf;
  r.place.y = r.dtype == isa::Dtype::fp32 ? space() : isa::Space::sbuf;
  r.place.sums = space();
  const bool normalises = r.step == runtime::Step::full && r.switches.src0_is == numerics::Src0Is::x_norm &&
                          r.switches.backprop_form == numerics::BackpropForm::textbook;
  if (normalises && r.dtype != isa::Dtype::fp32) r.place.x = isa::Space::sbuf;
  if (pick(2) == 0) r.microbatches = 1 + pick(static_cast<std::uint32_t>(std::min<std::uint64_t>(r.elements, 9)));
}

}  // namespace dve::test
