#include "layer_plan.h"

namespace dve {

runtime::PlanRequest plan_request(const layer::Layer& layer, const config::Config& settings) {
  runtime::PlanRequest request;
  request.channels = layer.channels;
  request.elements = layer.elements;
  request.dtype = layer.dtype;
  request.statistics_given = layer.statistics_given;
  request.generation = settings.generation;
  request.switches = settings.numerics;
  request.place = {settings.place.x, settings.place.dy, settings.place.dx, settings.place.y, settings.place.sums};
  return request;
}

}  // namespace dve
