#include "cases_data.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace dve::cases {
namespace {

using nlohmann::json;

// Step size of the one example that publishes weights after a step of SGD.
constexpr double kSgdRate = 0.01;

const std::vector<std::string> kFiles{
    "mindspore_batchnorm.json", "xla_batchnorm_grad.json", "stablehlo_spec.json",    "onnxruntime_bn_internal.json",
    "nnlib_batchnorm.json",     "mlpack_batch_norm.json",  "ngraph_bn_backprop.json"};
const std::set<std::string> kPerElement{"dx", "y", "dx_stats_constant"};
const std::set<std::string> kPerChannel{"dgamma", "dbeta", "mean", "var", "invstd"};
// Running averages and weights after SGD: not results of the layer's forward or backward pass.
bool is_host_training_state(const std::string& name) {
  return name.rfind("running_", 0) == 0 || name == "gamma_after_sgd" || name == "beta_after_sgd";
}

// Reads one case; every complaint names where it is.
class Reader {
 public:
  Reader(const json& source, const std::string& file) : json_(source) {
    case_.file = file;
    case_.id = json_.contains("id") ? json_["id"].get<std::string>() : "without id";
  }

  PublishedCase read() {
    read_geometry();
    read_inputs();
    read_tolerances();
    read_expected();
    read_float64();
    return case_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(case_.file + ", case " + case_.id + ": " + what);
  }

  const json& at(const json& object, const std::string& key) const {
    if (!object.contains(key)) fail("key \"" + key + "\" is missing");
    return object[key];
  }

  std::vector<double> numbers(const json& array, const std::string& key, std::size_t count) const {
    if (!array.is_array() || array.size() != count) {
      fail("\"" + key + "\" must be an array of " + std::to_string(count) + " numbers");
    }
    std::vector<double> values;
    for (const json& value : array) {
      if (!value.is_number()) fail("\"" + key + "\" holds " + value.dump() + ", which is not a number");
      values.push_back(value.get<double>());
    }
    return values;
  }

  std::vector<double> per_channel(const json& object, const std::string& key) const {
    return numbers(at(object, key), key, case_.channels);
  }

  // From C order of the shape to [channel][remaining axes].
  std::vector<double> per_element(const json& object, const std::string& key) const {
    const auto values = numbers(at(object, key), key, case_.channels * case_.elements);
    std::size_t inner = 1;
    for (std::size_t a = case_.channel_axis + 1; a < case_.shape.size(); ++a) inner *= case_.shape[a];
    std::vector<double> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t channel = i / inner % case_.channels;
      const std::size_t element = i / (inner * case_.channels) * inner + i % inner;
      result[channel * case_.elements + element] = values[i];
    }
    return result;
  }

  void read_geometry() {
    const json& origin = at(json_, "source");
    for (const char* key : {"repo", "path", "test"}) {
      case_.source += (case_.source.empty() ? "" : " ") + at(origin, key).get<std::string>();
    }
    case_.note = json_.value("note", "");
    case_.dtype = at(json_, "dtype").get<std::string>();
    case_.shape = at(json_, "shape").get<std::vector<std::size_t>>();
    case_.channel_axis = at(json_, "channel_axis").get<std::size_t>();
    if (case_.channel_axis >= case_.shape.size()) fail("\"channel_axis\" lies outside \"shape\"");
    case_.channels = case_.shape[case_.channel_axis];
    case_.elements = 1;
    for (std::size_t a = 0; a < case_.shape.size(); ++a) {
      if (a != case_.channel_axis) case_.elements *= case_.shape[a];
    }
    if (case_.channels == 0 || case_.elements == 0) fail("\"shape\" holds no elements");
  }

  void read_inputs() {
    const json& inputs = at(json_, "inputs");
    case_.x = per_element(inputs, "x");
    if (inputs.contains("dy")) case_.dy = per_element(inputs, "dy");
    case_.gamma = per_channel(inputs, "gamma");
    case_.beta = inputs.contains("beta") ? per_channel(inputs, "beta") : std::vector<double>(case_.channels, 0.0);
    case_.eps = at(inputs, "eps").get<double>();
    if (inputs.contains("mean") != inputs.contains("var")) fail("\"mean\" and \"var\" must be given together");
    if (inputs.contains("mean")) {
      case_.given_mean = per_channel(inputs, "mean");
      case_.given_var = per_channel(inputs, "var");
    }
  }

  Tolerance tolerance_in(const json& object) const {
    return {at(object, "rtol").get<double>(), at(object, "atol").get<double>()};
  }

  void read_tolerances() {
    case_.default_tolerance = tolerance_in(at(json_, "tolerance"));
    if (!json_.contains("tolerance_per_output")) return;
    for (const auto& [name, value] : json_["tolerance_per_output"].items()) {
      case_.output_tolerance[name] = tolerance_in(value);
    }
  }

  void read_expected() {
    const json& expected = at(json_, "expected");
    for (const auto& [name, value] : expected.items()) {
      if (kPerElement.count(name) != 0) {
        case_.expected[name] = per_element(expected, name);
      } else if (kPerChannel.count(name) != 0) {
        case_.expected[name] = per_channel(expected, name);
      } else if (!is_host_training_state(name)) {
        fail("unknown expected output \"" + name + "\"");
      }
    }
    derive_from_sgd(expected, "gamma_after_sgd", case_.gamma, "dgamma");
    derive_from_sgd(expected, "beta_after_sgd", case_.beta, "dbeta");
  }

  // weight_after = weight - rate * gradient; an error of the weight counts 1/rate times in the gradient.
  void derive_from_sgd(const json& expected, const std::string& key, const std::vector<double>& weight,
                       const std::string& gradient) {
    if (!expected.contains(key)) return;
    const auto after = per_channel(expected, key);
    std::vector<double> derived;
    double largest = 0;
    for (std::size_t c = 0; c < case_.channels; ++c) {
      derived.push_back((weight[c] - after[c]) / kSgdRate);
      largest = std::max(largest, std::fabs(after[c]));
    }
    case_.expected[gradient] = derived;
    case_.output_tolerance[gradient] = {0, case_.default_tolerance.of(largest) / kSgdRate};
  }

  void read_float64() {
    const json& block = at(json_, "f64");
    for (const auto& [name, value] : block.items()) {
      if (is_host_training_state(name)) continue;
      if (name == "stats2") {
        for (const json& row : value) {
          const auto six = numbers(row, name, 6);
          case_.float64[name].insert(case_.float64[name].end(), six.begin(), six.end());
        }
      } else if (kPerElement.count(name) != 0) {
        case_.float64[name] = per_element(block, name);
      } else {
        case_.float64[name] = per_channel(block, name);
      }
    }
  }

  const json& json_;
  PublishedCase case_;
};

}  // namespace

double Tolerance::of(double expected) const { return atol + rtol * std::fabs(expected); }

Tolerance PublishedCase::tolerance(const std::string& output) const {
  const auto found = output_tolerance.find(output);
  return found == output_tolerance.end() ? default_tolerance : found->second;
}

std::vector<PublishedCase> read_case_file(const std::string& folder, const std::string& file) {
  std::ifstream stream(folder + "/" + file);
  if (!stream) throw std::runtime_error(folder + "/" + file + ": cannot be opened");
  try {
    const json document = json::parse(stream);
    if (!document.contains("cases")) throw std::runtime_error(file + ": key \"cases\" is missing");
    std::vector<PublishedCase> cases;
    for (const json& one : document["cases"]) cases.push_back(Reader(one, file).read());
    return cases;
  } catch (const json::exception& error) {
    throw std::runtime_error(file + ": " + error.what());
  }
}

std::vector<PublishedCase> read_published_cases(const std::string& folder) {
  std::vector<PublishedCase> all;
  for (const std::string& file : kFiles) {
    const auto cases = read_case_file(folder, file);
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

}  // namespace dve::cases
