// What `run WORKLOAD.json` and the points of a sweep execute: a layer, or all layers of a workload.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dve/workload/workload.h"
#include "warm_layer.h"

namespace dve::app {

// Lives in a parent process; each of its parts runs in a child of its own (warm::ChildPool), for SystemC elaborates
// once a process.
class Subject {
 public:
  // The layer folder of the request. layer::InputError.
  Subject(const WarmRequest& request, const config::Config& settings);
  // The layers of a workload; request.layer is unused. layer::InputError.
  Subject(const WarmRequest& request, workload::Workload workload);

  std::size_t parts() const { return layers_.size(); }

  // In the parent: plans the programs of a point that another point needs, too. What cannot be planned is left to the
  // child, which says why.
  void announce(const config::Effective& point);

  // In a child: runs one part and returns what answer() understands. Errors of people's making become part of the
  // answer; others pass through. std::runtime_error when the run was interrupted.
  std::string run(std::size_t part, const config::Effective& point);

  struct Answer {
    bool refused = false;
    std::string text;  // refused: why; else report.json of the part
  };
  static Answer answer(const std::string& text);

  // report.json of all parts.
  std::string whole(const std::vector<std::string>& reports) const;

 private:
  config::Effective settings_for(std::size_t part, const config::Effective& point) const;

  bool data_;
  std::unique_ptr<const workload::Workload> workload_;  // null: one layer folder
  std::vector<std::unique_ptr<WarmLayer>> layers_;
};

}  // namespace dve::app
