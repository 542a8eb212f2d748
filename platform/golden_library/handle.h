// Inside the golden library: what stands behind a dve_golden, and how its functions are called.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>

#include "dve/numerics/numerics.h"
#include "dve_golden.h"
#include "golden_core.h"

struct dve_golden {
  dve_golden(const dve::config::Config& settings, std::uint64_t host_bytes) : core(settings, host_bytes) {}
  std::mutex mutex;
  dve::golden_library::GoldenCore core;
  std::string message;  // why the last call that failed did so
};

namespace dve::golden_library {

// Refuses a call: why, in one line.
struct Refusal {
  dve_golden_status status;
  std::string message;
};

// Runs `body` with the handle locked; no exception leaves it. A null handle is a bad argument.
template <class Body>
dve_golden_status guarded(dve_golden* handle, Body&& body) noexcept {
  if (handle == nullptr) return DVE_GOLDEN_BAD_ARGUMENT;
  try {
    const std::lock_guard<std::mutex> lock(handle->mutex);
    const numerics::FloatingPointDefaults arithmetic;
    try {
      return body(handle->core);
    } catch (const Refusal& refusal) {
      handle->message = refusal.message;
      return refusal.status;
    } catch (const std::exception& error) {
      handle->message = error.what();
      return DVE_GOLDEN_INTERNAL;
    }
  } catch (...) {
    return DVE_GOLDEN_INTERNAL;
  }
}

// The same for a call that asks something and cannot fail: `otherwise` for a null handle.
template <class Answer, class Body>
Answer answered(dve_golden* handle, Answer otherwise, Body&& body) noexcept {
  Answer answer = otherwise;
  guarded(handle, [&](GoldenCore& core) {
    answer = body(core);
    return DVE_GOLDEN_OK;
  });
  return answer;
}

}  // namespace dve::golden_library
