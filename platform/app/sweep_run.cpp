#include "sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interrupt.h"

namespace dve::app {

using How = warm::ChildEnd::How;

void SweepRun::fail(std::size_t point, const std::string& status, const std::string& reason) {
  pending_.erase(point);
  table_.fail(point, status, reason);
}

// Points without anything to run are finished on the way.
std::vector<SweepRun::Part> SweepRun::parts_to_run(const std::vector<std::size_t>& numbers) {
  std::vector<Part> parts;
  for (const std::size_t k : numbers) {
    if (interrupted()) break;
    const SweepSubjects::Entry& entry = subjects_.at(points_[k]);
    if (!entry.subject) {
      fail(k, "error", entry.refusal);
      continue;
    }
    try {
      entry.subject->announce(settings_.configuration(points_[k]));
    } catch (const config::Error& error) {
      fail(k, "error", error.what());
      continue;
    }
    const std::size_t count = entry.subject->parts();
    pending_[k] = {std::vector<std::string>(count), count};
    for (std::size_t part = 0; part < count; ++part) parts.push_back({k, part});
  }
  return parts;
}

void SweepRun::run(const std::vector<std::size_t>& numbers, std::size_t jobs) {
  run_parts(parts_to_run(numbers), jobs, false);
  run_parts(std::exchange(again_, {}), jobs, true);
}

// Slice by slice, none longer than the points so far let expect of the time that is left.
void SweepRun::run_for(const std::vector<std::size_t>& numbers, std::size_t jobs,
                       std::chrono::steady_clock::time_point begin, std::chrono::duration<double> time) {
  std::size_t done = 0;
  double slice = 1;
  while (done < numbers.size() && !interrupted()) {
    const std::size_t end = std::min(numbers.size(), done + static_cast<std::size_t>(slice));
    run(std::vector<std::size_t>(numbers.begin() + static_cast<std::ptrdiff_t>(done),
                                 numbers.begin() + static_cast<std::ptrdiff_t>(end)),
        jobs);
    done = end;
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin) / time;
    if (passed >= 1) return;
    slice = std::clamp(static_cast<double>(done) / passed * (1 - passed), 1.0, 2 * slice);
  }
}

void SweepRun::run_parts(const std::vector<Part>& parts, std::size_t jobs, bool last_chance) {
  const auto work = [&](std::size_t k) {
    const sweep::Point& point = points_[parts[k].point];
    return subjects_.at(point).subject->run(parts[k].part, settings_.configuration(point));
  };
  const auto ended = [&](std::size_t k, const warm::ChildEnd& end) { take(parts[k], end, last_chance); };
  warm::ChildPool({jobs, {}}, work, interrupted).run(parts.size(), ended);
}

void SweepRun::take(const Part& part, const warm::ChildEnd& end, bool last_chance) {
  if (end.how == How::stopped) return;
  if (end.how != How::answered) {
    no_answer(part, end.text, last_chance);
    return;
  }
  Subject::Answer answer = Subject::answer(end.text);
  if (answer.refused)
    fail(part.point, "error", answer.text);
  else
    take_report(part, std::move(answer.text));
}

void SweepRun::take_report(const Part& part, std::string report) {
  const auto pending = pending_.find(part.point);
  if (pending == pending_.end()) return;  // another part has failed before
  pending->second.reports[part.part] = std::move(report);
  if (--pending->second.missing != 0) return;
  const std::string whole = subjects_.at(points_[part.point]).subject->whole(pending->second.reports);
  pending_.erase(pending);
  table_.finish(part.point, whole, json::Json::parse(whole));
}

// What ended the process says nothing about the point: memory was short, somebody killed it.
void SweepRun::no_answer(const Part& part, const std::string& how, bool last_chance) {
  if (interrupted()) return;
  if (last_chance)
    fail(part.point, "crashed", "its process " + how);
  else
    again_.push_back(part);
}

}  // namespace dve::app
