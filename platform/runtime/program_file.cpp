#include "program_file.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "dve/json/json.h"

namespace dve::runtime {

using json::Json;

namespace fs = std::filesystem;
namespace {

std::string text(const isa::Place& place) {
  return fmt::format("{}[{}]+0x{:x}", isa::to_string(place.space), isa::number(place.partition), place.offset);
}

template <class Range>
Json range(const Range& r) {
  return Json::array({r.first, r.count});
}

Json places(const std::vector<isa::Place>& list) {
  Json json = Json::array();
  for (const isa::Place& place : list) json.push_back(text(place));
  return json;
}

const char* name(Tensor tensor) { return tensor == Tensor::x ? "x" : tensor == Tensor::x_norm ? "x_norm" : "dy"; }

Json json_of(const LoadTensor& a) {
  return {{"action", "load_tensor"},
          {"tensor", name(a.tensor)},
          {"channels", range(a.channels)},
          {"elements", range(a.elements)},
          {"place", text(a.place)}};
}
const char* name(Vector vector) {
  switch (vector) {
    case Vector::mean:
      return "mean";
    case Vector::inv_std:
      return "inv_std";
    case Vector::gamma:
      return "gamma";
    default:
      return "beta";
  }
}

Json json_of(const LoadVector& a) {
  return {
      {"action", "load_vector"}, {"vector", name(a.vector)}, {"channels", range(a.channels)}, {"place", text(a.place)}};
}
Json json_of(const StoreStatistics& a) {
  return {{"action", "store_statistics"}, {"channels", range(a.channels)}, {"place", text(a.place)}};
}
Json json_of(const ComputeInvStd& a) {
  return {{"action", "compute_inv_std"}, {"channels", range(a.channels)}, {"place", text(a.place)}};
}
Json json_of(const WriteA& a) {
  return {{"action", "write_a"}, {"channels", range(a.channels)}, {"place", text(a.place)}};
}
Json json_of(const AddTileSums& a) {
  return {{"action", "add_tile_sums"},
          {"channels", range(a.channels)},
          {"tiles", places(a.tiles)},
          {"place", text(a.place)}};
}
Json json_of(const StoreDx& a) {
  return {{"action", "store_dx"},
          {"channels", range(a.channels)},
          {"elements", range(a.elements)},
          {"place", text(a.place)}};
}
Json json_of(const StoreY& a) {
  return {{"action", "store_y"},
          {"channels", range(a.channels)},
          {"elements", range(a.elements)},
          {"place", text(a.place)}};
}
Json json_of(const StoreInvStd& a) {
  return {{"action", "store_inv_std"}, {"channels", range(a.channels)}, {"place", text(a.place)}};
}
Json json_of(const StoreSums& a) {
  return {{"action", "store_sums"}, {"channels", range(a.channels)}, {"place", text(a.place)}};
}

Json json_of(const StageTensor& a) { return {{"action", "stage_tensor"}, {"tensor", name(a.tensor)}, {"hbm", a.hbm}}; }
Json json_of(const CollectDx& a) { return {{"action", "collect_dx"}, {"hbm", a.hbm}}; }

Json json_of(const Actions& actions) {
  Json json = Json::array();
  for (const Action& action : actions) json.push_back(std::visit([](const auto& a) { return json_of(a); }, action));
  return json;
}

Json json_of(const Pass& pass, Step step) {
  Json tiles = Json::array();
  for (const ElementRange& tile : pass.tiles) tiles.push_back(range(tile));
  const Regions& r = pass.regions;
  Json placement = {{"x", text(r.x)},
                    {"dy", text(r.dy)},
                    {"dx", text(r.dx)},
                    {"mean", text(r.mean)},
                    {"inv_std", text(r.inv_std)},
                    {"sums", text(r.sums)},
                    {"tile_sums", places(r.tile_sums)}};
  if (r.triples) placement["triples"] = text(*r.triples);
  if (step == Step::full) placement["y"] = text(r.y);
  return {{"channels", range(pass.channels)}, {"tiles", tiles}, {"placement", placement}};
}

Json json_of(const Stream& stream) {
  return {{"engine", isa::to_string(stream.engine)}, {"first", stream.first}, {"count", stream.count}};
}

Json json_of(const dma::Transfer& t) {
  Json waits = Json::array();
  for (const dma::Wait& wait : t.waits) waits.push_back({isa::number(wait.semaphore), wait.at_least});
  return {{"label", t.label},
          {"direction", t.direction == dma::Direction::load ? "load" : "store"},
          {"hbm", t.hbm},
          {"row_stride", t.row_stride},
          {"place", text(t.place)},
          {"channels", t.channels},
          {"bytes_per_partition", t.bytes_per_partition},
          {"engines", Json::array({t.first_engine, t.engines})},
          {"waits", waits},
          {"update", isa::number(t.update)}};
}

Json dma_of(const Program& program) {
  Json rings = Json::array();
  for (const std::vector<dma::Transfer>& ring : program.transfers) {
    rings.push_back(Json::array());
    for (const dma::Transfer& transfer : ring) rings.back().push_back(json_of(transfer));
  }
  return {{"hbm_bytes", program.hbm_bytes}, {"rings", rings}};
}

Json options_of(const ProgramDescription& description) {
  const PlanRequest& request = description.program.request;
  const numerics::Switches& s = request.switches;
  return {{"step", request.step == Step::full ? "full" : "backward"},
          {"microbatches", request.microbatches},
          {"eps", description.host.eps},
          {"generation", isa::to_string(request.generation)},
          {"dst_order", s.dst_order == numerics::DstOrder::documented ? "documented" : "interpreter"},
          {"backprop_form", s.backprop_form == numerics::BackpropForm::staged ? "staged" : "textbook"},
          {"narrow_overflow", s.narrow_overflow == numerics::NarrowOverflow::inf ? "inf" : "saturate"},
          {"src0_is", s.src0_is == numerics::Src0Is::ofmap ? "ofmap" : "x_norm"},
          {"param_ram_index", s.param_ram_index == numerics::ParamRamIndex::i_plus_1 ? "i_plus_1" : "i"},
          {"param_ram_offset_unit", s.param_ram_offset_unit == numerics::ParamRamOffsetUnit::entry ? "entry" : "byte"}};
}

// Relative to the file's folder, so that a tree of results can move and the file does not depend on the machine.
std::string relative_folder(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  const fs::path base = fs::absolute(file, error).parent_path();
  const fs::path relative = fs::relative(folder, base, error);
  return error || relative.empty() ? folder.generic_string() : relative.generic_string();
}

}  // namespace

layer::LayerOptions layer_options(const ProgramDescription& description) {
  layer::LayerOptions options;
  options.dtype = description.program.request.dtype;
  options.loss_scale = description.loss_scale;
  options.device_statistics = !description.program.request.statistics_given;
  options.switches = description.program.request.switches;
  return options;
}

void write_words(const fs::path& path, const std::vector<isa::Word>& words) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(words.size() * isa::kWordBytes);
  for (const isa::Word& word : words) bytes.insert(bytes.end(), word.bytes.begin(), word.bytes.end());
  layer::write_file(path, bytes.data(), bytes.size());
}

std::vector<isa::Word> read_words(const fs::path& path) {
  const std::vector<std::uint8_t> bytes = layer::read_file(path);
  if (bytes.empty() || bytes.size() % isa::kWordBytes != 0) {
    throw layer::InputError(fmt::format("{}: {} bytes, expected a positive multiple of {}: whole instruction words",
                                        path.string(), bytes.size(), isa::kWordBytes));
  }
  std::vector<isa::Word> words(bytes.size() / isa::kWordBytes);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::memcpy(words[i].bytes.data(), bytes.data() + i * isa::kWordBytes, isa::kWordBytes);
  }
  return words;
}

void write_description(const fs::path& path, const ProgramDescription& description) {
  const Program& program = description.program;
  const PlanRequest& request = program.request;
  Json json = {{"schema", 1}};
  json["layer"] = {{"folder", relative_folder(description.layer_folder, path)},
                   {"channels", request.channels},
                   {"elements", request.elements},
                   {"dtype", isa::name(request.dtype)},
                   {"statistics", request.statistics_given ? "given" : "device"},
                   {"loss_scale", description.loss_scale}};
  json["options"] = options_of(description);
  json["semaphores"] = {{"request", isa::number(kStepRequest)}, {"done", isa::number(kStepDone)}};
  json["words"] = description.words;
  json["streams"] = Json::array();
  for (const Stream& stream : program.streams) json["streams"].push_back(json_of(stream));
  json["passes"] = Json::array();
  for (const Pass& pass : program.passes) json["passes"].push_back(json_of(pass, request.step));
  json["initial"] = json_of(program.initial);
  json["steps"] = Json::array();
  for (const Actions& step : program.steps) json["steps"].push_back(json_of(step));
  json["final"] = json_of(program.final);
  if (program.hbm_bytes != 0) json["dma"] = dma_of(program);
  layer::write_file(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace dve::runtime
