#include "subject.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "command_line.h"
#include "dve/core/core.h"
#include "interrupt.h"

namespace dve::app {
namespace {

constexpr char kReport = 'r', kRefusal = 'x';

}  // namespace

Subject::Subject(const WarmRequest& request, const config::Config& settings) : data_(request.data) {
  layers_.push_back(std::make_unique<WarmLayer>(request, settings));
}

Subject::Subject(const WarmRequest& request, workload::Workload workload)
    : data_(request.data), workload_(std::make_unique<const workload::Workload>(std::move(workload))) {
  for (std::size_t k = 0; k < workload_->layers.size(); ++k)
    layers_.push_back(std::make_unique<WarmLayer>(request, [this, k](const layer::LayerOptions& options) {
      return workload::make_layer(*workload_, k, options);
    }));
}

config::Effective Subject::settings_for(std::size_t part, const config::Effective& point) const {
  return workload_ ? workload::settings_for(workload_->layers[part], point) : point;
}

void Subject::announce(const config::Effective& point) {
  for (std::size_t part = 0; part < parts(); ++part) {
    try {
      layers_[part]->announce(settings_for(part, point).config);
    } catch (const runtime::PlanError&) {
    } catch (const config::Error&) {
    }
  }
}

std::string Subject::run(std::size_t part, const config::Effective& point) {
  const auto refusal = [&](const std::exception& error) {
    const std::string where = workload_ ? fmt::format("layer {}: ", workload_->layers[part].name) : "";
    return kRefusal + where + error.what();
  };
  try {
    refuse_nothing_left(point.config, !data_);
    const std::string report = layers_[part]->report(settings_for(part, point));
    if (interrupted()) throw std::runtime_error("was interrupted");  // what it says of the part is not the whole
    return kReport + report;
  } catch (const UsageError& error) {
    return refusal(error);
  } catch (const config::Error& error) {
    return refusal(error);
  } catch (const layer::InputError& error) {
    return refusal(error);
  } catch (const runtime::PlanError& error) {
    return refusal(error);
  } catch (const HostAccessError& error) {
    return refusal(error);
  }
}

Subject::Answer Subject::answer(const std::string& text) { return {text.at(0) == kRefusal, text.substr(1)}; }

std::string Subject::whole(const std::vector<std::string>& reports) const {
  return workload_ ? workload::network_report(*workload_, reports) : reports.front();
}

}  // namespace dve::app
