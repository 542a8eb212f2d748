#include "points.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "dve/layer/layer.h"

namespace dve::sweep {
namespace {

using json::Json;

// Draws before random points are given up: the first, and for each point found.
constexpr std::uint64_t kFirstDraws = 10'000, kDrawsAPoint = 1000;

[[noreturn]] void refuse(const Spec& spec, const std::string& why) {
  throw layer::InputError(fmt::format("{}: {}", spec.file.string(), why));
}

Scalar scalar_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>();
  return value_text(value);
}

Scalar scalar_of(const config::Value& value) {
  if (const auto* integer = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::get<std::string>(value);
}

class Filter {
 public:
  Filter(const Spec& spec, Settings& settings) : spec_(spec), settings_(settings) {}

  bool keeps(const Point& point) {
    for (std::size_t k = 0; k < spec_.constraints.size(); ++k) {
      try {
        if (!spec_.constraints[k].holds([&](const std::string& name) { return value_of(name, point); })) return false;
      } catch (const ConstraintError& error) {
        refuse(spec_, fmt::format("constraints[{}] is \"{}\", expected a condition: {}", k, spec_.constraints[k].text(),
                                  error.what()));
      } catch (const config::Error&) {
        continue;  // the point's own failure
      }
    }
    return true;
  }

 private:
  Scalar value_of(const std::string& name, const Point& point) {
    for (std::size_t a = 0; a < spec_.axes.size(); ++a)
      if (spec_.axes[a].name == name) return scalar_of(point[a]);
    return scalar_of(config::find_key(name)->get(settings_.configuration(point).config));
  }

  const Spec& spec_;
  Settings& settings_;
};

std::uint64_t combinations(const Spec& spec) {
  std::uint64_t count = 1;
  for (const Axis& axis : spec.axes) {
    count *= axis.values.size();
    if (count > kMostPoints) refuse(spec, fmt::format("axes have more than {} points, expected fewer", kMostPoints));
  }
  return count;
}

Point combination(const Spec& spec, std::uint64_t index) {
  Point point(spec.axes.size());
  for (std::size_t a = spec.axes.size(); a-- > 0;) {
    const std::vector<Json>& values = spec.axes[a].values;
    point[a] = values[index % values.size()];
    index /= values.size();
  }
  return point;
}

Point together(const Spec& spec, std::uint64_t index) {
  Point point;
  for (const Axis& axis : spec.axes) point.push_back(axis.values[index]);
  return point;
}

std::vector<Point> drawn(const Spec& spec, Filter& filter) {
  std::vector<Point> points;
  Random random(spec.seed);
  for (std::uint64_t draws = 0; points.size() < spec.points; ++draws) {
    if (draws >= kFirstDraws + kDrawsAPoint * points.size())
      refuse(spec,
             fmt::format("constraints leave {} of {} drawn points, expected {}", points.size(), draws, spec.points));
    Point point;
    for (const Axis& axis : spec.axes)
      point.push_back(axis.span ? random.in(*axis.span) : axis.values[random.below(axis.values.size())]);
    if (filter.keeps(point)) points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

std::vector<Point> points_of(const Spec& spec, Settings& settings) {
  Filter filter(spec, settings);
  if (spec.mode == Mode::random) return drawn(spec, filter);
  const bool product = spec.mode == Mode::product;
  const std::uint64_t count = product ? combinations(spec) : spec.axes.front().values.size();
  if (count > kMostPoints) refuse(spec, fmt::format("axes have more than {} points, expected fewer", kMostPoints));
  std::vector<Point> points;
  for (std::uint64_t k = 0; k < count; ++k) {
    Point point = product ? combination(spec, k) : together(spec, k);
    if (filter.keeps(point)) points.push_back(std::move(point));
  }
  if (points.empty()) refuse(spec, fmt::format("constraints leave none of {} points, expected at least one", count));
  return points;
}

}  // namespace dve::sweep
