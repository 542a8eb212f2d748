// The layers and workloads that the points of a sweep run.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "dve/sweep/sweep.h"
#include "subject.h"

namespace dve::app {

// Lives in the parent; all subjects are there before the first child is forked.
class SweepSubjects {
 public:
  // Checks the values of workload.KEY axes one by one: layer::InputError names sweep file, axis and what was expected.
  SweepSubjects(const sweep::Spec& spec, sweep::Settings& settings);

  // What a point runs, or why nothing can be run. Points that differ in configuration keys alone share one.
  // layer::InputError when the sweep has no axis but such: then no point could run.
  struct Entry {
    std::unique_ptr<Subject> subject;  // null: refused
    std::string refusal;
  };
  Entry& at(const sweep::Point& point);

  // The files and folders that the point reads.
  std::set<std::filesystem::path> inputs(const sweep::Point& point) const;

 private:
  std::unique_ptr<Subject> make(const sweep::Point& point);
  workload::Workload workload_of(const sweep::Options& options,
                                 const std::vector<std::pair<std::string, json::Json>>& changes) const;
  void check_workload_axes() const;

  const sweep::Spec& spec_;
  sweep::Settings& settings_;
  std::map<std::string, Entry> entries_;
};

}  // namespace dve::app
