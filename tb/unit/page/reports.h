// report.json of round numbers.
#pragma once

#include "dve/json/json.h"

namespace dve::page::reports {

using json::Json;

// A run of `cycles` at 1 GHz: busy is what the other buckets leave.
inline Json report(std::uint64_t cycles, const Json& waits, const Json& roofline) {
  Json dve = {{"busy", cycles}};
  for (const char* bucket :
       {"issue_gap", "operand_wait", "write_wait", "bank_conflict", "semaphore_wait", "fetch", "idle"}) {
    dve[bucket] = waits.value(bucket, 0);
    dve["busy"] = dve["busy"].get<std::uint64_t>() - dve[bucket].get<std::uint64_t>();
  }
  dve["cycles"] = cycles;
  return {{"schema", 1},
          {"status", "ok"},
          {"generation", "cayman"},
          {"abstraction", "lt"},
          {"cycles", cycles},
          {"time_ns", cycles},
          {"instructions", 3},
          {"opcodes", {{"drain", 3}}},
          {"engines", {{"dve", dve}}},
          {"ports", Json::object()},
          {"banks", Json::object()},
          {"bandwidth", {{"dve.read0", {{"window_ns", 1.0}, {"bytes", {64, 0, 32}}}}}},
          {"roofline_ns", roofline},
          {"compare", Json::object()},
          {"faults", Json::array()},
          {"waits", Json::array()},
          {"warnings", 0}};
}

// 1000 cycles: 600 busy; DMA is needed for 700 ns.
inline Json waiting() {
  return report(1000, {{"issue_gap", 100}, {"semaphore_wait", 300}},
                {{"dma ring 0", 700.0}, {"dve stream", 550.0}, {"dve.read0", 100.0}});
}
// 500 cycles: 450 busy; the DVE streams for 400 ns.
inline Json streaming() { return report(500, {{"idle", 50}}, {{"dve stream", 400.0}}); }

inline Json layer(const char* name, std::uint64_t repeat, const Json& own) {
  return {{"name", name},    {"nchw", {1, 2, 3, 4}}, {"repeat", repeat},
          {"dtype", "bf16"}, {"place", "hbm"},       {"report", own}};
}

// Twice waiting(), once streaming().
inline Json network() {
  Json all = report(2500, {{"issue_gap", 200}, {"semaphore_wait", 600}, {"idle", 50}},
                    {{"dve stream", 1500.0}, {"dma ring 0", 1400.0}, {"dve.read0", 200.0}});
  all["workload"] = {{"name", "net"}, {"batch", 1}, {"layers", 3}, {"shapes", 2}};
  all["layers"] = {layer("wide", 2, waiting()), layer("deep", 1, streaming())};
  return all;
}

}  // namespace dve::page::reports
