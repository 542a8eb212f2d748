#include "sweep_table.h"

#include <optional>

namespace dve::app {

using json::Json;

std::vector<std::size_t> SweepTable::take_finished(const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> missing;
  for (const std::size_t k : numbers) {
    const std::optional<Json> report = folder_.report(k);
    if (report && sweep::is_final(*report))
      add_row(k, *report);
    else
      missing.push_back(k);
  }
  return missing;
}

void SweepTable::add_row(std::size_t point, const Json& report) {
  rows_[point] = sweep::table_row(spec_, point, points_[point], report);
  failed_ += sweep::is_ok(report) ? 0 : 1;
}

bool SweepTable::collect(std::size_t point) {
  if (has(point)) return true;
  const std::optional<Json> report = folder_.report(point);
  if (!report) return false;
  add_row(point, *report);
  progress_.advance();
  return true;
}

void SweepTable::finish(std::size_t point, const std::string& text, const Json& report) {
  if (has(point)) return;
  folder_.keep(point, text);
  add_row(point, report);
  progress_.advance();
}

void SweepTable::fail(std::size_t point, const std::string& status, const std::string& reason) {
  const std::string text = sweep::failure_report(status, reason);
  finish(point, text, Json::parse(text));
}

std::string SweepTable::text() const {
  std::string text = sweep::table_head(spec_);
  for (const auto& [point, row] : rows_) text += row;
  return text;
}

}  // namespace dve::app
