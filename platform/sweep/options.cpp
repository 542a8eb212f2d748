#include "options.h"

#include <functional>
#include <limits>
#include <utility>

namespace dve::sweep {
namespace {

using json::JsonNode;
using Setter = std::function<void(Options&, const JsonNode&)>;

std::string path_text(const JsonNode& value) {
  std::string text = value.text();
  if (text.empty() || text.find('\0') != std::string::npos) value.fail("a file or folder");
  return text;
}

double positive_float(const JsonNode& value) {
  const double number = value.number();
  if (!(number > 0) || number > static_cast<double>(std::numeric_limits<float>::max()))
    value.fail("a positive number within binary32");
  return number;
}

constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

const std::vector<std::pair<std::string, Setter>>& setters() {
  static const std::vector<std::pair<std::string, Setter>> table = {
      {"config", [](Options& o, const JsonNode& v) { o.config = path_text(v); }},
      {"workload", [](Options& o, const JsonNode& v) { o.workload = path_text(v); }},
      {"layer", [](Options& o, const JsonNode& v) { o.layer = path_text(v); }},
      {"dtype",
       [](Options& o, const JsonNode& v) {
         o.dtype =
             v.one_of<isa::Dtype>({{"fp32", isa::Dtype::fp32}, {"bf16", isa::Dtype::bf16}, {"fp16", isa::Dtype::fp16}});
       }},
      {"step",
       [](Options& o, const JsonNode& v) {
         o.step = v.one_of<runtime::Step>({{"backward", runtime::Step::backward}, {"full", runtime::Step::full}});
       }},
      {"eps", [](Options& o, const JsonNode& v) { o.eps = v.number(); }},
      {"loss_scale", [](Options& o, const JsonNode& v) { o.loss_scale = static_cast<float>(positive_float(v)); }},
      {"microbatches", [](Options& o, const JsonNode& v) { o.microbatches = v.integer(1, kMost); }},
      {"device_stats", [](Options& o, const JsonNode& v) { o.device_stats = v.boolean(); }},
      {"no_data", [](Options& o, const JsonNode& v) { o.no_data = v.boolean(); }},
      {"max_cycles", [](Options& o, const JsonNode& v) { o.max_cycles = v.integer(1, kMost); }}};
  return table;
}

}  // namespace

const std::vector<std::string>& option_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& entry : setters()) list.push_back(entry.first);
    return list;
  }();
  return names;
}

void set_option(Options& options, const std::string& name, const JsonNode& value) {
  for (const auto& [known, set] : setters())
    if (known == name) set(options, value);
}

}  // namespace dve::sweep
