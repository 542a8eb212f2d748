#include "sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "interrupt.h"

namespace dve::app {

using How = warm::ChildEnd::How;
using json::Json;

SweepRun::SweepRun(const sweep::Spec& spec, const std::vector<sweep::Point>& points, sweep::Settings& settings,
                   SweepSubjects& subjects, const sweep::Folder& folder)
    : spec_(spec), points_(points), settings_(settings), subjects_(subjects), folder_(folder) {}

void SweepRun::take_finished() {
  for (std::size_t k = 0; k < points_.size(); ++k)
    if (const std::optional<Json> report = folder_.finished(k)) add_row(k, *report);
}

void SweepRun::add_row(std::size_t point, const Json& report) {
  rows_[point] = sweep::table_row(spec_, point, points_[point], report);
  failed_ += sweep::is_ok(report) ? 0 : 1;
}

void SweepRun::finish(std::size_t point, const std::string& text, const Json& report) {
  if (rows_.count(point) != 0) return;
  folder_.keep(point, text);
  add_row(point, report);
  pending_.erase(point);
  progress_.advance();
}

void SweepRun::fail(std::size_t point, const std::string& status, const std::string& reason) {
  const std::string text = sweep::failure_report(status, reason);
  finish(point, text, Json::parse(text));
}

// Points without anything to run are finished on the way.
std::vector<SweepRun::Part> SweepRun::parts_to_run() {
  std::vector<Part> parts;
  for (std::size_t k = 0; k < points_.size() && !interrupted(); ++k) {
    if (rows_.count(k) != 0) continue;
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

void SweepRun::run(std::size_t jobs, bool draw_progress) {
  progress_ = Progress(draw_progress, points_.size() - rows_.size(), "points");
  run_parts(parts_to_run(), jobs, false);
  run_parts(std::exchange(again_, {}), jobs, true);
  progress_.finish();
}

void SweepRun::run_parts(const std::vector<Part>& parts, std::size_t jobs, bool last_chance) {
  const auto work = [&](std::size_t k) {
    const sweep::Point& point = points_[parts[k].point];
    return subjects_.at(point).subject->run(parts[k].part, settings_.configuration(point));
  };
  warm::ChildPool({jobs, {}}, work, interrupted).run(parts.size(), [&](std::size_t k, const warm::ChildEnd& end) {
    take(parts[k], end, last_chance);
  });
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
  finish(part.point, whole, Json::parse(whole));
}

// What ended the process says nothing about the point: memory was short, somebody killed it.
void SweepRun::no_answer(const Part& part, const std::string& how, bool last_chance) {
  if (interrupted()) return;
  if (last_chance)
    fail(part.point, "crashed", "its process " + how);
  else
    again_.push_back(part);
}

std::string SweepRun::table() const {
  std::string text = sweep::table_head(spec_);
  for (const auto& [point, row] : rows_) text += row;
  return text;
}

}  // namespace dve::app
