// What the values of a point change: configuration, options, workload.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dve/config/config.h"
#include "spec.h"

namespace dve::sweep {

using Point = std::vector<json::Json>;  // one value an axis

class Settings {
 public:
  explicit Settings(const Spec& spec) : spec_(spec) {}

  // The sweep's base with the values of the axes, which count as --set. Files are read once. config::Error.
  config::Effective configuration(const Point& point);

  // Paths are relative to the sweep file, or else to the current folder. A workload that is a folder is a layer.
  Options options(const Point& point) const;

  // workload.KEY axes: key without the prefix, and value.
  std::vector<std::pair<std::string, json::Json>> workload_changes(const Point& point) const;

  // The values of the point that are no configuration keys, as text: points with equal texts run the same layers.
  std::string subject(const Point& point) const;

 private:
  std::string path_of(const std::string& text) const;

  const Spec& spec_;
  std::map<std::pair<std::string, std::string>, config::Effective> bases_;  // by configuration and generation
};

}  // namespace dve::sweep
