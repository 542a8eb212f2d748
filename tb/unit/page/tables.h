// Tables of sweeps as texts.
#pragma once

#include <string>
#include <vector>

#include "dve/page/page.h"

namespace dve::page::tables {

// A point of a sweep: its axes ("65,sbuf"), its time, its accuracy; "" of a time: the point failed.
struct PointText {
  std::string axes, time_ns, max_rel = "";
  std::string status = "ok", reason = "";
};

inline std::string csv(const std::string& axes, const std::vector<PointText>& points) {
  std::string text = "point,status,reason," + axes +
                     ",cycles,time_ns,bottleneck,instructions,dve_busy,dve_issue_gap,dve_operand_wait,dve_write_wait,"
                     "dve_bank_conflict,dve_semaphore_wait,dve_fetch,dve_idle,max_rel,mismatches\n";
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PointText& p = points[k];
    text += std::to_string(k) + "," + p.status + "," + p.reason + "," + p.axes + ",";
    text += p.time_ns.empty() ? ",,,,,,,,,,,," : "100," + p.time_ns + ",dve stream,7,60,0,0,0,0,40,0,0,";
    text += p.max_rel + "," + (p.time_ns.empty() ? "" : "0") + "\n";
  }
  return text;
}

inline SweepTable table(const std::string& axes, const std::vector<PointText>& points) {
  return sweep_table_of(csv(axes, points), "sweep.csv");
}

}  // namespace dve::page::tables
