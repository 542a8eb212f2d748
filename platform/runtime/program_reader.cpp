// Reading program.json. Nothing in it is trusted.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "dve/json/json.h"
#include "program_file.h"

namespace dve::runtime {

using json::Json;
using json::JsonNode;
using json::parse_json;

namespace fs = std::filesystem;
namespace {

class Reader {
 public:
  Reader(const Json& json, const fs::path& path) : root_(json, path, ""), path_(path) {}

  ProgramDescription read() {
    root_.allow_keys(
        {"schema", "layer", "options", "semaphores", "words", "streams", "passes", "initial", "steps", "final"},
        {"dma"});
    root_.at("schema").integer(1, 1);
    read_layer(root_.at("layer"));
    read_options(root_.at("options"));
    read_semaphores(root_.at("semaphores"));
    description_.words = root_.at("words").integer(1, std::numeric_limits<std::uint64_t>::max() / isa::kWordBytes);
    Program& program = description_.program;
    if (root_.has("dma")) read_dma(root_.at("dma"));
    program.streams = read_streams(root_.at("streams"));
    for (const JsonNode& node : root_.at("passes").list()) program.passes.push_back(read_pass(node));
    if (program.passes.empty()) root_.at("passes").fail("at least one pass");
    program.initial = read_actions(root_.at("initial"));
    for (const JsonNode& node : root_.at("steps").list()) program.steps.push_back(read_actions(node));
    program.final = read_actions(root_.at("final"));
    const Regions& r = program.passes[0].regions;
    request().place = {r.x.space, r.dy.space, r.dx.space, r.y.space, r.sums.space, in_hbm_};
    return std::move(description_);
  }

 private:
  PlanRequest& request() { return description_.program.request; }
  std::uint64_t element_bytes() { return isa::storage_size(request().dtype).value; }

  void read_layer(const JsonNode& node) {
    node.expect_keys({"folder", "channels", "elements", "dtype", "statistics", "loss_scale"});
    const std::string folder = node.at("folder").text();
    if (folder.empty() || folder.find('\0') != std::string::npos) node.at("folder").fail("a path");
    description_.layer_folder = path_.parent_path() / folder;
    request().channels =
        static_cast<std::uint32_t>(node.at("channels").integer(1, std::numeric_limits<std::uint32_t>::max()));
    request().elements = node.at("elements").integer(1, kMaxElements);
    request().dtype = node.at("dtype").one_of<isa::Dtype>(
        {{"fp32", isa::Dtype::fp32}, {"bf16", isa::Dtype::bf16}, {"fp16", isa::Dtype::fp16}});
    request().statistics_given = node.at("statistics").one_of<bool>({{"given", true}, {"device", false}});
    const double scale = node.at("loss_scale").number();
    if (!(scale > 0) || scale > std::numeric_limits<float>::max() || static_cast<float>(scale) == 0) {
      node.at("loss_scale").fail("a positive binary32 number");
    }
    description_.loss_scale = static_cast<float>(scale);
  }

  void read_options(const JsonNode& node) {
    node.expect_keys({"step", "microbatches", "eps", "generation", "dst_order", "backprop_form", "narrow_overflow",
                      "src0_is", "param_ram_index", "param_ram_offset_unit"});
    request().step = node.at("step").one_of<Step>({{"backward", Step::backward}, {"full", Step::full}});
    if (request().step == Step::full && request().statistics_given)
      node.at("step").fail("backward: layer.statistics is given");
    request().microbatches = node.at("microbatches").integer(1, request().elements);
    request().eps = description_.host.eps = node.at("eps").number();
    const JsonNode generation = node.at("generation");
    const std::optional<isa::Generation> known = isa::generation_from_string(generation.text());
    if (!known) generation.fail("sunda, cayman, mariana, mariana_plus or maverick");
    request().generation = *known;
    numerics::Switches& s = request().switches;
    s.dst_order = node.at("dst_order")
                      .one_of<numerics::DstOrder>({{"documented", numerics::DstOrder::documented},
                                                   {"interpreter", numerics::DstOrder::interpreter}});
    s.backprop_form = node.at("backprop_form")
                          .one_of<numerics::BackpropForm>({{"staged", numerics::BackpropForm::staged},
                                                           {"textbook", numerics::BackpropForm::textbook}});
    s.narrow_overflow = node.at("narrow_overflow")
                            .one_of<numerics::NarrowOverflow>({{"inf", numerics::NarrowOverflow::inf},
                                                               {"saturate", numerics::NarrowOverflow::saturate}});
    s.src0_is = node.at("src0_is").one_of<numerics::Src0Is>(
        {{"ofmap", numerics::Src0Is::ofmap}, {"x_norm", numerics::Src0Is::x_norm}});
    s.param_ram_index = node.at("param_ram_index")
                            .one_of<numerics::ParamRamIndex>(
                                {{"i_plus_1", numerics::ParamRamIndex::i_plus_1}, {"i", numerics::ParamRamIndex::i}});
    s.param_ram_offset_unit = node.at("param_ram_offset_unit")
                                  .one_of<numerics::ParamRamOffsetUnit>({{"entry", numerics::ParamRamOffsetUnit::entry},
                                                                         {"byte", numerics::ParamRamOffsetUnit::byte}});
  }

  static void read_semaphores(const JsonNode& node) {
    node.expect_keys({"request", "done"});
    node.at("request").integer(isa::number(kStepRequest), isa::number(kStepRequest));
    node.at("done").integer(isa::number(kStepDone), isa::number(kStepDone));
  }

  // Streams of different engines that follow one another and cover the program.
  std::vector<Stream> read_streams(const JsonNode& node) {
    std::vector<Stream> streams;
    std::uint64_t covered = 0;
    for (const JsonNode& entry : node.list()) {
      entry.expect_keys({"engine", "first", "count"});
      const auto engine = isa::engine_from_string(entry.at("engine").text());
      if (!engine) entry.at("engine").fail("dve, pool or act");
      for (const Stream& stream : streams) {
        if (stream.engine == *engine) entry.at("engine").fail("an engine that has no stream yet");
      }
      entry.at("first").integer(covered, covered);
      const std::uint64_t count = entry.at("count").integer(1, description_.words - covered);
      streams.push_back({*engine, covered, count});
      covered += count;
    }
    if (!streams.empty() && covered != description_.words)
      node.fail(fmt::format("streams that cover {} words", description_.words));
    return streams;
  }

  // --- HBM ---

  void read_dma(const JsonNode& node) {
    Program& program = description_.program;
    node.expect_keys({"hbm_bytes", "rings"});
    program.hbm_bytes = node.at("hbm_bytes").integer(1, hbm_capacity(request().generation));
    const std::vector<JsonNode> rings = node.at("rings").list();
    if (rings.size() != program.transfers.size())
      node.at("rings").fail(fmt::format("{} rings", program.transfers.size()));
    std::array<std::uint32_t, kRings> engines{};  // one bit each
    for (std::size_t r = 0; r < rings.size(); ++r) {
      for (const JsonNode& transfer : rings[r].list()) {
        const dma::Transfer t = read_transfer(transfer);
        engines[r] |= t.engine_mask();
        if (r != 0 && (engines[0] & engines[r]) != 0) transfer.at("engines").fail("engines that no other ring uses");
        program.transfers[r].push_back(t);
      }
    }
  }

  dma::Transfer read_transfer(const JsonNode& node) {
    node.expect_keys({"label", "direction", "hbm", "row_stride", "place", "channels", "bytes_per_partition", "engines",
                      "waits", "update"});
    dma::Transfer t;
    t.label = node.at("label").text();
    t.direction =
        node.at("direction").one_of<dma::Direction>({{"load", dma::Direction::load}, {"store", dma::Direction::store}});
    const std::uint64_t hbm_bytes = description_.program.hbm_bytes;
    t.channels = static_cast<std::uint32_t>(node.at("channels").integer(1, isa::kPartitions));
    t.bytes_per_partition = node.at("bytes_per_partition").integer(1, hbm_bytes);
    t.row_stride = node.at("row_stride").integer(0, hbm_bytes);
    t.hbm = node.at("hbm").integer(0, hbm_bytes - 1);
    if (t.hbm_end() > hbm_bytes)
      node.at("hbm").fail(fmt::format("rows that end inside the {} bytes of HBM", hbm_bytes));
    t.place = read_place(node.at("place"), t.channels, t.bytes_per_partition);
    const auto [first, count] = read_range(node.at("engines"), contention::kDmaEngines);
    t.first_engine = static_cast<std::uint32_t>(first);
    t.engines = static_cast<std::uint32_t>(count);
    for (const JsonNode& wait : node.at("waits").list()) {
      const std::vector<JsonNode> pair = wait.list();
      if (pair.size() != 2) wait.fail("[semaphore, at least]");
      t.waits.push_back({read_semaphore(pair[0]), static_cast<std::uint32_t>(pair[1].integer(0, 0x7FFFFFFF))});
    }
    t.update = read_semaphore(node.at("update"));
    return t;
  }
  static isa::SemaphoreIndex read_semaphore(const JsonNode& node) {
    return static_cast<isa::SemaphoreIndex>(node.integer(0, 255));
  }

  // Where a whole tensor of the layer begins in HBM.
  std::uint64_t read_tensor_in_hbm(const JsonNode& node) {
    const std::uint64_t hbm_bytes = description_.program.hbm_bytes;
    const std::uint64_t row_bytes = request().elements * element_bytes();
    if (request().channels > hbm_bytes / row_bytes)
      node.fail(fmt::format("another action: the tensor does not fit the {} bytes of HBM", hbm_bytes));
    return node.integer(0, hbm_bytes - request().channels * row_bytes);
  }

  ChannelRange read_channels(const JsonNode& node) {
    const auto [first, count] = read_range(node, request().channels);
    if (count > isa::kPartitions) node.fail("at most 128 channels");
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
  }
  ElementRange read_elements(const JsonNode& node) { return read_range(node, request().elements); }

  // [first, count] inside [0, size), not empty.
  static ElementRange read_range(const JsonNode& node, std::uint64_t size) {
    const std::vector<JsonNode> pair = node.list();
    if (pair.size() != 2) node.fail("[first, count]");
    const std::uint64_t first = pair[0].integer(0, size - 1);
    return {first, pair[1].integer(1, size - first)};
  }

  // "sbuf[0]+0x40", with `channels` partitions and `bytes` in each of them inside the memory's active bytes.
  isa::Place read_place(const JsonNode& node, std::uint32_t channels, std::uint64_t bytes) {
    const std::string text = node.text();
    isa::Place place;
    place.space = text.rfind("psum", 0) == 0 ? isa::Space::psum : isa::Space::sbuf;
    std::uint32_t partition = 0;
    const char* at = text.data() + 4;
    const char* const end = text.data() + text.size();
    const auto form = [&](bool good) {
      if (!good) node.fail("a place such as sbuf[0]+0x40");
    };
    form(text.size() > 4 && (place.space == isa::Space::psum || text.rfind("sbuf", 0) == 0) && *at == '[');
    const auto [after, partition_error] = std::from_chars(at + 1, end, partition);
    form(partition_error == std::errc() && end - after > 4 && std::string_view(after, 4) == "]+0x");
    const auto [last, offset_error] = std::from_chars(after + 4, end, place.offset, 16);
    form(offset_error == std::errc() && last == end);

    const isa::SpaceGeometry& geometry = isa::geometry(request().generation, place.space);
    if (!geometry.exists()) node.fail("sbuf: this generation has no PSUM");
    if (partition + std::uint64_t{channels} > isa::kPartitions) node.fail("partitions up to 127");
    if (place.offset + bytes > geometry.active_per_partition.value) {
      node.fail(fmt::format("{} bytes inside the {} of a partition", bytes, geometry.active_per_partition.value));
    }
    place.partition = isa::Partition{partition};
    return place;
  }

  std::vector<isa::Place> read_places(const JsonNode& node, std::uint32_t channels, std::uint64_t bytes) {
    std::vector<isa::Place> places;
    for (const JsonNode& place : node.list()) places.push_back(read_place(place, channels, bytes));
    if (places.empty()) node.fail("at least one place");
    return places;
  }

  Pass read_pass(const JsonNode& node) {
    node.expect_keys({"channels", "tiles", "placement"});
    Pass pass;
    pass.channels = read_channels(node.at("channels"));
    std::uint64_t longest = 0, covered = 0;
    for (const JsonNode& tile : node.at("tiles").list()) {
      pass.tiles.push_back(read_elements(tile));
      if (pass.tiles.back().first != covered) tile.fail(fmt::format("a tile that begins at element {}", covered));
      covered += pass.tiles.back().count;
      longest = std::max(longest, pass.tiles.back().count);
    }
    if (covered != request().elements)
      node.at("tiles").fail(fmt::format("tiles that cover {} elements", request().elements));
    read_regions(node.at("placement"), pass, longest * element_bytes());
    return pass;
  }

  void read_regions(const JsonNode& node, Pass& pass, std::uint64_t tile_bytes) {
    Regions& r = pass.regions;
    const std::uint32_t channels = pass.channels.count;
    if (request().statistics_given) {
      node.expect_keys({"x", "dy", "dx", "mean", "inv_std", "sums", "tile_sums"});
    } else if (request().step == Step::backward) {
      node.expect_keys({"x", "dy", "dx", "mean", "inv_std", "sums", "tile_sums", "triples"});
    } else {
      node.expect_keys({"x", "dy", "dx", "mean", "inv_std", "sums", "tile_sums", "triples", "y"});
      r.y = read_place(node.at("y"), channels, tile_bytes);
    }
    if (!request().statistics_given) r.triples = read_place(node.at("triples"), channels, 0);
    r.x = read_place(node.at("x"), channels, tile_bytes);
    r.dy = read_place(node.at("dy"), channels, tile_bytes);
    r.dx = read_place(node.at("dx"), channels, tile_bytes);
    r.mean = read_place(node.at("mean"), channels, request().statistics_given ? 4 : 8);
    r.inv_std = read_place(node.at("inv_std"), channels, 4);
    r.sums = read_place(node.at("sums"), channels, 12);
    r.tile_sums = read_places(node.at("tile_sums"), channels, 12);
    if (r.tile_sums.size() != pass.tiles.size()) node.at("tile_sums").fail("one place a tile");
  }

  Actions read_actions(const JsonNode& node) {
    Actions actions;
    for (const JsonNode& action : node.list()) actions.push_back(read_action(action));
    return actions;
  }

  enum class Kind {
    load_tensor,
    load_vector,
    store_statistics,
    compute_inv_std,
    write_a,
    add_tile_sums,
    store_dx,
    store_y,
    store_inv_std,
    store_sums,
    stage_tensor,
    collect_dx
  };

  void expect_full_step(const JsonNode& action) {
    if (request().step != Step::full) action.at("action").fail("another action: options.step is backward");
  }

  Action read_hbm_action(const JsonNode& node, bool collect) {
    if (collect) {
      node.expect_keys({"action", "hbm"});
      in_hbm_.dx = true;
      return CollectDx{read_tensor_in_hbm(node.at("hbm"))};
    }
    node.expect_keys({"action", "tensor", "hbm"});
    const auto tensor = node.at("tensor").one_of<Tensor>({{"x", Tensor::x}, {"dy", Tensor::dy}});
    (tensor == Tensor::x ? in_hbm_.x : in_hbm_.dy) = true;
    return StageTensor{tensor, read_tensor_in_hbm(node.at("hbm"))};
  }

  Action read_action(const JsonNode& node) {
    const Kind kind = node.at("action").one_of<Kind>({{"load_tensor", Kind::load_tensor},
                                                      {"load_vector", Kind::load_vector},
                                                      {"store_statistics", Kind::store_statistics},
                                                      {"compute_inv_std", Kind::compute_inv_std},
                                                      {"write_a", Kind::write_a},
                                                      {"add_tile_sums", Kind::add_tile_sums},
                                                      {"store_dx", Kind::store_dx},
                                                      {"store_y", Kind::store_y},
                                                      {"store_inv_std", Kind::store_inv_std},
                                                      {"store_sums", Kind::store_sums},
                                                      {"stage_tensor", Kind::stage_tensor},
                                                      {"collect_dx", Kind::collect_dx}});
    if (kind == Kind::stage_tensor || kind == Kind::collect_dx) return read_hbm_action(node, kind == Kind::collect_dx);
    const ChannelRange channels = read_channels(node.at("channels"));
    const auto place = [&](std::uint64_t bytes) { return read_place(node.at("place"), channels.count, bytes); };
    const auto elements = [&] { return read_elements(node.at("elements")); };
    switch (kind) {
      case Kind::load_tensor: {
        node.expect_keys({"action", "tensor", "channels", "elements", "place"});
        const auto tensor =
            node.at("tensor").one_of<Tensor>({{"x", Tensor::x}, {"x_norm", Tensor::x_norm}, {"dy", Tensor::dy}});
        const ElementRange range = elements();
        return LoadTensor{tensor, channels, range, place(range.count * element_bytes())};
      }
      case Kind::load_vector: {
        node.expect_keys({"action", "vector", "channels", "place"});
        const auto vector = node.at("vector").one_of<Vector>(
            {{"mean", Vector::mean}, {"inv_std", Vector::inv_std}, {"gamma", Vector::gamma}, {"beta", Vector::beta}});
        if (vector == Vector::beta && request().step != Step::full) node.at("vector").fail("mean, inv_std or gamma");
        return LoadVector{vector, channels, place(4)};
      }
      case Kind::add_tile_sums: {
        node.expect_keys({"action", "channels", "tiles", "place"});
        return AddTileSums{channels, read_places(node.at("tiles"), channels.count, 12), place(12)};
      }
      case Kind::store_dx:
      case Kind::store_y: {
        node.expect_keys({"action", "channels", "elements", "place"});
        if (kind == Kind::store_y) expect_full_step(node);
        const ElementRange range = elements();
        const isa::Place from = place(range.count * element_bytes());
        if (kind == Kind::store_y) return StoreY{channels, range, from};
        return StoreDx{channels, range, from};
      }
      case Kind::store_statistics:
      case Kind::compute_inv_std:
        if (request().statistics_given) node.at("action").fail("another action: layer.statistics is given");
        break;
      case Kind::store_inv_std:
        expect_full_step(node);
        break;
      default:
        break;
    }
    node.expect_keys({"action", "channels", "place"});
    if (kind == Kind::store_statistics) return StoreStatistics{channels, place(8)};
    if (kind == Kind::compute_inv_std) return ComputeInvStd{channels, place(4)};
    if (kind == Kind::store_inv_std) return StoreInvStd{channels, place(4)};
    if (kind == Kind::write_a) return WriteA{channels, place(8)};
    return StoreSums{channels, place(12)};
  }

  JsonNode root_;
  const fs::path& path_;
  ProgramDescription description_;
  InHbm in_hbm_;  // as the actions say
};

}  // namespace

ProgramDescription read_description(const fs::path& path) {
  const Json json = parse_json(path);
  return Reader(json, path).read();
}

}  // namespace dve::runtime
