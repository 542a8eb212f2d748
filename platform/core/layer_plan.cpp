#include "layer_plan.h"

namespace dve {
namespace {

// Of the tensor, or of its buffers when it stays in HBM.
isa::Space on_chip(config::TensorPlace place) {
  return place == config::TensorPlace::psum ? isa::Space::psum : isa::Space::sbuf;
}

}  // namespace

runtime::PlanRequest plan_request(const layer::Layer& layer, const config::Config& settings) {
  runtime::PlanRequest request;
  request.channels = layer.channels;
  request.elements = layer.elements;
  request.dtype = layer.dtype;
  request.statistics_given = layer.statistics_given;
  request.generation = settings.generation;
  request.switches = settings.numerics;
  const config::Placement& place = settings.place;
  request.place = {on_chip(place.x), on_chip(place.dy), on_chip(place.dx), place.y, place.sums, {}};
  request.place.hbm = {place.x == config::TensorPlace::hbm, place.dy == config::TensorPlace::hbm,
                       place.dx == config::TensorPlace::hbm};
  request.tile_elements = settings.dma.tile_elements;
  request.load_engines = settings.dma.load_engines;
  return request;
}

}  // namespace dve
