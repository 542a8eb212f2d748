// The functions of dve_golden.h that ask for, or set, what a core holds beside its memories.
#include "arguments.h"

using namespace dve;
using namespace dve::golden_library;

extern "C" {

size_t dve_golden_finding_count(dve_golden* handle) {
  return answered(handle, std::size_t{0}, [](GoldenCore& core) { return core.findings().size(); });
}

dve_golden_status dve_golden_finding_at(dve_golden* handle, size_t index, dve_golden_finding* finding) {
  return guarded(handle, [&](GoldenCore& core) {
    need(finding, "finding");
    need_below(index, core.findings().size(), "index");
    const PlacedFinding& f = core.findings()[index];
    *finding = {static_cast<int>(f.engine),  f.fault ? 1 : 0,         f.word,         f.opcode,
                f.finding.predicate.c_str(), f.finding.field.c_str(), f.finding.byte, f.finding.value,
                f.finding.expected.c_str()};
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_lane_of(dve_golden* handle, uint32_t lane, dve_golden_lane* flops) {
  return guarded(handle, [&](GoldenCore& core) {
    need(flops, "flops");
    need_below(lane, isa::kPartitions, "lane");
    const execute::Core& lanes = core.lanes(isa::Engine::dve);
    const numerics::LaneParameters& p = lanes.lane(lane);
    *flops = {lanes.lane_loaded(lane) ? 1 : 0, p.element_count, p.mean, p.a, p.b, p.c, p.inv_std};
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_semaphore(dve_golden* handle, uint32_t index, int32_t* value) {
  return guarded(handle, [&](GoldenCore& core) {
    need(value, "value");
    need_below(index, 256, "index");
    *value = core.sync().semaphore(static_cast<isa::SemaphoreIndex>(index));
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_set_semaphore(dve_golden* handle, uint32_t index, int32_t value) {
  return guarded(handle, [&](GoldenCore& core) {
    need_below(index, 256, "index");
    core.set_semaphore(static_cast<isa::SemaphoreIndex>(index), value);
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_event(dve_golden* handle, uint32_t index, int* value) {
  return guarded(handle, [&](GoldenCore& core) {
    need(value, "value");
    need_below(index, 256, "index");
    *value = core.sync().event(static_cast<isa::EventIndex>(index)) ? 1 : 0;
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_set_event(dve_golden* handle, uint32_t index, int value) {
  return guarded(handle, [&](GoldenCore& core) {
    need_below(index, 256, "index");
    core.set_event(static_cast<isa::EventIndex>(index), value != 0);
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_register(dve_golden* handle, int engine, uint32_t index, uint32_t* value) {
  return guarded(handle, [&](GoldenCore& core) {
    need(value, "value");
    need_below(index, isa::kRegisters, "index");
    *value = core.registers(engine_of(engine))[index];
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_set_register(dve_golden* handle, int engine, uint32_t index, uint32_t value) {
  return guarded(handle, [&](GoldenCore& core) {
    need_below(index, isa::kRegisters, "index");
    core.registers(engine_of(engine))[index] = value;
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_schedule_of(dve_golden* handle, int engine, dve_golden_schedule* schedule) {
  return guarded(handle, [&](GoldenCore& core) {
    need(schedule, "schedule");
    const isa::Engine e = engine_of(engine);
    const timing::Schedule& s = core.schedule(e);
    *schedule = {s.start.value, s.read_done.value, s.complete.value, s.next_issue.value, core.stream(e).value};
    return DVE_GOLDEN_OK;
  });
}

}  // extern "C"
