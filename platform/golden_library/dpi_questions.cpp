// The functions of dve_golden_dpi.h that ask for, or set, what a core holds beside its memories.
#include <fmt/format.h>

#include "dpi_call.h"

namespace dve::golden_library {
namespace {

std::string finding_text(const dve_golden_finding& f) {
  constexpr const char* engines[] = {"dve", "pool", "act"};
  return fmt::format("{} word {} (opcode {:#04x}): {}: {} at byte {} is {} ({:#x}), expected {}", engines[f.engine],
                     f.word, f.opcode, f.predicate, f.field, f.byte, f.value, f.value, f.expected);
}

}  // namespace
}  // namespace dve::golden_library

using namespace dve::golden_library;

extern "C" {

int dve_dpi_finding_count(void* golden) { return static_cast<int>(dve_golden_finding_count(handle_of(golden))); }

int dve_dpi_finding_at(void* golden, const svLogicVecVal* index, int* fault, const char** text) {
  if (fault != nullptr) *fault = 0;
  if (text != nullptr) *text = "";
  return with_numbers(golden, {{index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    dve_golden_finding finding{};
    const dve_golden_status status = dve_golden_finding_at(g, n[0], &finding);
    if (status != DVE_GOLDEN_OK) return status;
    if (fault != nullptr) *fault = finding.fault;
    if (text != nullptr) *text = tell(finding_text(finding));
    return status;
  });
}

int dve_dpi_lane(void* golden, const svLogicVecVal* lane, int* loaded, svBitVecVal* flops) {
  return with_numbers(golden, {{lane, "lane"}}, [&](dve_golden* g, const std::uint32_t* n) {
    dve_golden_lane f{};
    const dve_golden_status status = dve_golden_lane_of(g, n[0], &f);
    if (loaded != nullptr) *loaded = f.loaded;
    put_floats(flops, {f.element_count, f.mean, f.a, f.b, f.c, f.inv_std});
    return status;
  });
}

int dve_dpi_semaphore(void* golden, const svLogicVecVal* index, int* value) {
  return with_numbers(golden, {{index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    std::int32_t found = 0;
    const dve_golden_status status = dve_golden_semaphore(g, n[0], &found);
    if (value != nullptr) *value = found;
    return status;
  });
}

int dve_dpi_set_semaphore(void* golden, const svLogicVecVal* index, const svLogicVecVal* value) {
  return with_numbers(golden, {{index, "index"}, {value, "value"}}, [](dve_golden* g, const std::uint32_t* n) {
    return dve_golden_set_semaphore(g, n[0], static_cast<std::int32_t>(n[1]));
  });
}

int dve_dpi_event(void* golden, const svLogicVecVal* index, int* value) {
  return with_numbers(golden, {{index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    int found = 0;
    const dve_golden_status status = dve_golden_event(g, n[0], &found);
    if (value != nullptr) *value = found;
    return status;
  });
}

int dve_dpi_set_event(void* golden, const svLogicVecVal* index, const svLogicVecVal* value) {
  return with_numbers(golden, {{index, "index"}, {value, "value"}}, [](dve_golden* g, const std::uint32_t* n) {
    return dve_golden_set_event(g, n[0], n[1] != 0 ? 1 : 0);
  });
}

int dve_dpi_register(void* golden, const svLogicVecVal* engine, const svLogicVecVal* index, svBitVecVal* value) {
  return with_numbers(golden, {{engine, "engine"}, {index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    std::uint32_t found = 0;
    const dve_golden_status status = dve_golden_register(g, static_cast<int>(n[0]), n[1], &found);
    put32(value, found);
    return status;
  });
}

int dve_dpi_set_register(void* golden, const svLogicVecVal* engine, const svLogicVecVal* index,
                         const svLogicVecVal* value) {
  return with_numbers(golden, {{engine, "engine"}, {index, "index"}, {value, "value"}},
                      [](dve_golden* g, const std::uint32_t* n) {
                        return dve_golden_set_register(g, static_cast<int>(n[0]), n[1], n[2]);
                      });
}

int dve_dpi_schedule(void* golden, const svLogicVecVal* engine, svBitVecVal* cycles) {
  return with_numbers(golden, {{engine, "engine"}}, [&](dve_golden* g, const std::uint32_t* n) {
    dve_golden_schedule s{};
    const dve_golden_status status = dve_golden_schedule_of(g, static_cast<int>(n[0]), &s);
    put64(cycles, {s.start, s.read_done, s.complete, s.next_issue, s.stream});
    return status;
  });
}

}  // extern "C"
