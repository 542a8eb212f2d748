#include "spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "dve/config/config.h"

namespace dve::sweep {
namespace {

using json::Json;
using json::JsonNode;

const std::string kWorkload = "workload.";

class Reader {
 public:
  Reader(Spec& spec, const JsonNode& root) : spec_(spec), root_(root) {}

  void read() {
    root_.allow_keys({"schema", "mode"}, {"name", "base", "axes", "constraints", "points", "seed"});
    root_.at("schema").integer(1, 1);
    if (root_.has("name")) root_.at("name").text();
    if (root_.has("base")) read_base(root_.at("base"));
    spec_.mode = root_.at("mode").one_of<Mode>(
        {{"product", Mode::product}, {"zip", Mode::zip}, {"list", Mode::list}, {"random", Mode::random}});
    if (root_.has("seed")) spec_.seed = root_.at("seed").integer(0, UINT64_MAX);
    spec_.mode == Mode::list ? read_list() : read_axes();
    read_points();
    if (root_.has("constraints")) read_constraints(root_.at("constraints"));
  }

 private:
  bool given(const char* key) const { return root_.has(key) && !root_.at(key).value().is_null(); }

  void read_base(const JsonNode& base) {
    base.allow_keys({}, {"config", "workload", "layer", "dtype", "step", "eps", "loss_scale", "microbatches",
                         "device_stats", "no_data", "max_cycles", "set"});
    for (const std::string& name : option_names())
      if (base.has(name)) set_option(spec_.base, name, base.at(name));
    if (!spec_.base.workload.empty() && !spec_.base.layer.empty()) base.at("layer").fail("workload or layer, not both");
    if (!base.has("set")) return;
    const JsonNode set = base.at("set");
    if (!set.value().is_object()) set.fail("an object of configuration keys");
    for (const auto& item : set.value().items()) {
      const JsonNode value = set.at(item.key());
      check(kind_of(item.key(), value, false), item.key(), value);
      spec_.sets.push_back(item.key() + "=" + value_text(value.value()));
    }
  }

  static AxisKind kind_of(const std::string& name, const JsonNode& node, bool any) {
    if (config::find_key(name) != nullptr) return AxisKind::configuration;
    const auto& options = option_names();
    if (any && std::find(options.begin(), options.end(), name) != options.end()) return AxisKind::option;
    if (any && name.compare(0, kWorkload.size(), kWorkload) == 0) return AxisKind::workload;
    node.fail(any ? fmt::format("a configuration key (`dve-sim config --keys`), workload.KEY or one of {} as name",
                                fmt::join(options, ", "))
                  : "a configuration key (`dve-sim config --keys`) as name");
  }

  // One value, as far as it can be judged alone.
  static void check(AxisKind kind, const std::string& name, const JsonNode& value) {
    if (kind == AxisKind::workload) return;
    if (value.value().is_structured() || value.value().is_null()) value.fail("a text, a number, true or false");
    if (kind == AxisKind::option) {
      Options scratch;
      set_option(scratch, name, value);
      return;
    }
    const config::Key* key = config::find_key(name);
    if (!key->domain.parse(value_text(value.value()))) value.fail(key->domain.allowed());
  }

  void read_axes() {
    const JsonNode axes = root_.at("axes");
    if (!axes.value().is_object() || axes.value().empty()) axes.fail("an object with at least one axis");
    for (const auto& item : axes.value().items()) {
      const JsonNode node = axes.at(item.key());
      Axis axis{item.key(), kind_of(item.key(), node, true), {}, {}};
      if (spec_.mode == Mode::random && node.value().is_object())
        axis.span = span_of(axis, node);
      else
        read_values(axis, node);
      if (spec_.mode == Mode::zip && axis.values.size() != (spec_.axes.empty() ? axis : spec_.axes[0]).values.size())
        node.fail(fmt::format("{} values as {}: mode is zip", spec_.axes[0].values.size(), spec_.axes[0].name));
      spec_.axes.push_back(std::move(axis));
    }
  }

  static void read_values(Axis& axis, const JsonNode& node) {
    for (const JsonNode& value : node.list()) {
      check(axis.kind, axis.name, value);
      axis.values.push_back(value.value());
    }
    if (axis.values.empty()) node.fail("at least one value");
  }

  static Span span_of(const Axis& axis, const JsonNode& node) {
    node.allow_keys({"low", "high"}, {"scale"});
    Span span;
    span.low = node.at("low").number();
    span.high = node.at("high").number();
    span.integers = node.at("low").value().is_number_integer() && node.at("high").value().is_number_integer();
    if (!(span.high > span.low)) node.at("high").fail(fmt::format("more than {}, low", span.low));
    if (node.has("scale")) span.logarithmic = node.at("scale").one_of<bool>({{"linear", false}, {"log", true}});
    if (span.logarithmic && !(span.low > 0)) node.at("low").fail("more than 0: scale is log");
    for (const char* end : {"low", "high"}) check(axis.kind, axis.name, node.at(end));
    return span;
  }

  void read_list() {
    if (given("axes") && !root_.at("axes").value().empty()) root_.at("axes").fail("none: mode is list");
    const std::vector<JsonNode> points = root_.at("points").list();
    if (points.empty() || points.size() > kMostPoints)
      root_.at("points").fail(fmt::format("a list of 1 to {} points", kMostPoints));
    for (const JsonNode& point : points) {
      if (!point.value().is_object() || point.value().empty()) point.fail("an object with at least one key");
      if (spec_.axes.empty()) {
        for (const auto& item : point.value().items())
          spec_.axes.push_back({item.key(), kind_of(item.key(), point.at(item.key()), true), {}, {}});
      }
      if (point.value().size() != spec_.axes.size()) point.fail("the keys of the first point");
      for (Axis& axis : spec_.axes) {
        const JsonNode value = point.at(axis.name);
        check(axis.kind, axis.name, value);
        axis.values.push_back(value.value());
      }
    }
  }

  void read_points() {
    if (spec_.mode == Mode::list) return;
    if (spec_.mode == Mode::random)
      spec_.points = root_.at("points").integer(1, kMostPoints);
    else if (given("points"))
      root_.at("points").fail("null: mode is neither random nor list");
  }

  void read_constraints(const JsonNode& list) {
    for (const JsonNode& node : list.list()) {
      const std::string text = node.text();
      try {
        spec_.constraints.emplace_back(text);
      } catch (const ConstraintError& error) {
        node.fail(fmt::format("a constraint: {}", error.what()));
      }
      for (const std::string& name : spec_.constraints.back().names()) {
        const bool axis =
            std::any_of(spec_.axes.begin(), spec_.axes.end(), [&](const Axis& a) { return a.name == name; });
        if (!axis && config::find_key(name) == nullptr)
          node.fail(fmt::format("names of axes and configuration keys; {} is neither", name));
      }
    }
  }

  Spec& spec_;
  const JsonNode& root_;
};

}  // namespace

Spec spec_of(const Json& document, const std::filesystem::path& file) {
  Spec spec;
  spec.file = file;
  spec.document = document;
  Reader(spec, JsonNode(document, file, "")).read();
  return spec;
}

Spec read_spec(const std::filesystem::path& file) { return spec_of(json::parse_json(file), file); }

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace dve::sweep
