#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "fake_device.h"

namespace dve::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using runtime::ProgramDescription;

class ProgramFile : public ::testing::Test {
 protected:
  ProgramFile() {
    std::string name = (fs::temp_directory_path() / "dve_program_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~ProgramFile() override { fs::remove_all(folder_); }
  fs::path file() const { return folder_ / "program.json"; }

  void put(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }
  std::string get() const {
    std::ifstream stream(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  // what() of the InputError on reading: one line that names the file. Empty when the file is accepted.
  std::string error() const {
    try {
      runtime::read_description(file());
      return "";
    } catch (const layer::InputError& e) {
      std::string what = e.what();
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_EQ(what.find(file().string()), 0U) << what;
      EXPECT_LT(what.size(), 600U) << what;
      return what;
    }
  }
  std::string error_of(const json& document) const {
    put(document.dump());
    return error();
  }
  ProgramDescription example(bool given, std::uint64_t elements = 45000, std::uint32_t channels = 130) const {
    ProgramDescription d;
    runtime::PlanRequest r;
    r.channels = channels;
    r.elements = elements;
    r.statistics_given = given;
    r.place.sums = isa::Space::psum;
    r.switches.dst_order = numerics::DstOrder::interpreter;
    r.switches.backprop_form = numerics::BackpropForm::textbook;
    r.switches.narrow_overflow = numerics::NarrowOverflow::saturate;
    d.program = runtime::plan(r);
    d.layer_folder = folder_ / "layers" / "one";
    d.loss_scale = 0.1F;
    d.host.eps = 1e-3;
    d.words = d.program.words.size();
    return d;
  }

  ProgramDescription full_example(std::uint64_t elements, std::uint32_t channels = 3) const {
    ProgramDescription d;
    runtime::PlanRequest r;
    r.step = runtime::Step::full;
    r.channels = channels;
    r.elements = elements;
    r.statistics_given = false;
    r.microbatches = 2;
    r.eps = 1e-3;
    r.place.y = elements < 1000 ? isa::Space::psum : isa::Space::sbuf;
    d.program = runtime::plan(r);
    d.layer_folder = folder_ / "layers" / "one";
    d.host.eps = 1e-3;
    d.words = d.program.words.size();
    return d;
  }

  ProgramDescription hbm_example(std::uint64_t tile) const {
    ProgramDescription d;
    runtime::PlanRequest r;
    r.channels = 130;
    r.elements = 300;
    r.statistics_given = false;
    r.place.hbm = {true, false, true};
    r.place.dy = isa::Space::psum;
    r.tile_elements = tile;
    r.load_engines = 5;
    d.program = runtime::plan(r);
    d.layer_folder = folder_ / "layers" / "one";
    d.words = d.program.words.size();
    return d;
  }

  fs::path folder_;
};

TEST_F(ProgramFile, WordsRoundTrip) {
  const ProgramDescription d = example(false);
  const fs::path path = folder_ / "program.bin";
  runtime::write_words(path, d.program.words);
  EXPECT_EQ(fs::file_size(path), 64 * d.program.words.size());
  EXPECT_EQ(runtime::read_words(path), d.program.words);
  for (const std::size_t size : {0U, 1U, 63U, 65U}) {
    std::ofstream(path, std::ios::binary) << std::string(size, 'x');
    EXPECT_THROW(runtime::read_words(path), layer::InputError) << size;
  }
  EXPECT_THROW(runtime::read_words(folder_), layer::InputError);
  EXPECT_THROW(runtime::write_words(folder_ / "none" / "p", d.program.words), layer::OutputError);
}

TEST_F(ProgramFile, DescriptionRoundTrips) {
  for (const bool given : {true, false}) {
    const ProgramDescription d = example(given);
    runtime::write_description(file(), d);
    const std::string text = get();
    const ProgramDescription back = runtime::read_description(file());
    EXPECT_EQ(back.loss_scale, 0.1F);
    EXPECT_EQ(back.host.eps, 1e-3);
    EXPECT_EQ(back.words, d.words);
    EXPECT_EQ(back.program.steps.size(), d.program.steps.size());
    EXPECT_EQ(back.program.request.statistics_given, given);
    EXPECT_EQ(back.program.request.place.sums, isa::Space::psum);
    EXPECT_EQ(runtime::longest_stream(back.program), runtime::longest_stream(d.program));
    EXPECT_EQ(runtime::triples_per_channel(back.program), runtime::triples_per_channel(d.program));
    EXPECT_EQ(fs::weakly_canonical(back.layer_folder), fs::weakly_canonical(d.layer_folder));
    runtime::write_description(file(), back);
    EXPECT_EQ(get(), text);
    const layer::LayerOptions options = runtime::layer_options(back);
    EXPECT_EQ(options.dtype, isa::Dtype::fp32);
    EXPECT_EQ(options.device_statistics, !given);
    EXPECT_EQ(options.loss_scale, 0.1F);
    EXPECT_EQ(options.switches.narrow_overflow, numerics::NarrowOverflow::saturate);
  }
}

TEST_F(ProgramFile, AFullProgramRoundTrips) {
  for (const std::uint64_t elements : {300U, 60000U}) {  // resident, and in tiles
    const ProgramDescription d = full_example(elements);
    runtime::write_description(file(), d);
    const std::string text = get();
    const ProgramDescription back = runtime::read_description(file());
    EXPECT_EQ(back.program.request.step, runtime::Step::full);
    EXPECT_EQ(back.program.request.microbatches, 2U);
    EXPECT_EQ(back.program.request.eps, 1e-3);
    EXPECT_EQ(back.host.eps, 1e-3);
    EXPECT_FALSE(back.program.request.statistics_given);
    EXPECT_EQ(back.program.request.place.x, isa::Space::sbuf);
    EXPECT_EQ(back.program.request.place.y, d.program.request.place.y);
    EXPECT_EQ(back.program.request.place.sums, isa::Space::sbuf);
    ASSERT_EQ(back.program.streams.size(), 3U);
    for (std::size_t s = 0; s < 3; ++s) {
      EXPECT_EQ(back.program.streams[s].engine, d.program.streams[s].engine);
      EXPECT_EQ(back.program.streams[s].first, d.program.streams[s].first);
      EXPECT_EQ(back.program.streams[s].count, d.program.streams[s].count);
    }
    EXPECT_EQ(back.program.steps.size(), d.program.steps.size());
    EXPECT_EQ(back.program.passes[0].regions.y, d.program.passes[0].regions.y);
    EXPECT_EQ(runtime::longest_stream(back.program), runtime::longest_stream(d.program));
    EXPECT_EQ(runtime::triples_per_channel(back.program), runtime::triples_per_channel(d.program));
    runtime::write_description(file(), back);
    EXPECT_EQ(get(), text);
  }
}

TEST_F(ProgramFile, AProgramWithTransfersRoundTrips) {
  const ProgramDescription d = hbm_example(100);
  runtime::write_description(file(), d);
  const std::string text = get();
  const ProgramDescription back = runtime::read_description(file());
  EXPECT_EQ(back.program.hbm_bytes, d.program.hbm_bytes);
  EXPECT_TRUE(back.program.request.place.hbm.x);
  EXPECT_FALSE(back.program.request.place.hbm.dy);
  EXPECT_TRUE(back.program.request.place.hbm.dx);
  EXPECT_EQ(back.program.request.place.dy, isa::Space::psum);
  for (std::size_t ring = 0; ring < runtime::kRings; ++ring) {
    ASSERT_EQ(back.program.transfers[ring].size(), d.program.transfers[ring].size());
    ASSERT_GE(back.program.transfers[ring].size(), 6U);
    for (std::size_t k = 0; k < back.program.transfers[ring].size(); ++k) {
      const dma::Transfer &found = back.program.transfers[ring][k], &expected = d.program.transfers[ring][k];
      EXPECT_EQ(found.label, expected.label);
      EXPECT_EQ(found.direction, expected.direction);
      EXPECT_EQ(found.hbm, expected.hbm);
      EXPECT_EQ(found.row_stride, expected.row_stride);
      EXPECT_EQ(found.place, expected.place);
      EXPECT_EQ(found.channels, expected.channels);
      EXPECT_EQ(found.bytes_per_partition, expected.bytes_per_partition);
      EXPECT_EQ(found.first_engine, expected.first_engine);
      EXPECT_EQ(found.engines, expected.engines);
      EXPECT_EQ(found.update, expected.update);
      ASSERT_EQ(found.waits.size(), expected.waits.size());
      for (std::size_t w = 0; w < found.waits.size(); ++w) {
        EXPECT_EQ(found.waits[w].semaphore, expected.waits[w].semaphore);
        EXPECT_EQ(found.waits[w].at_least, expected.waits[w].at_least);
      }
    }
  }
  runtime::write_description(file(), back);
  EXPECT_EQ(get(), text);
}

TEST_F(ProgramFile, MalformedTransfersAreRefused) {
  runtime::write_description(file(), hbm_example(100));
  const json good = json::parse(get());
  const std::string first = "/dma/rings/0/0/", store = "/dma/rings/1/0/";
  const std::tuple<std::string, json, std::string> cases[] = {
      {"/dma/hbm_bytes", 0, "dma.hbm_bytes is 0, expected an integer from 1 to 12884901888"},
      {"/dma/hbm_bytes", 1000, "dma.rings[0][0]"},
      {"/dma/rings", json::array(), "expected 2 rings"},
      {first + "direction", "both", "dma.rings[0][0].direction is \"both\", expected load or store"},
      {first + "hbm", 400000, "dma.rings[0][0].hbm is 400000"},
      {first + "row_stride", 100000, "expected rows that end inside the"},
      {first + "channels", 129, "channels is 129, expected an integer from 1 to 128"},
      {first + "bytes_per_partition", 0, "expected an integer from 1"},
      {first + "place", "sbuf[127]+0x0", "expected partitions up to 127"},
      {first + "place", "sbuf[0]+0x37fff", "expected 400 bytes inside the 229376 of a partition"},
      {first + "engines", json::array({15, 2}), "engines[1] is 2, expected an integer from 1 to 1"},
      {first + "waits", json::array({json::array({1})}), "expected [semaphore, at least]"},
      {first + "waits", json::array({json::array({256, 1})}), "is 256, expected an integer from 0 to 255"},
      {first + "update", -1, "update is -1, expected an integer from 0 to 255"},
      {store + "engines", json::array({4, 2}), "expected engines that no other ring uses"},
      {"/initial/0/hbm", 400000, "initial[0].hbm is 400000, expected an integer from 0 to"},
      {"/initial/0/tensor", "x_norm", "initial[0].tensor is \"x_norm\", expected x or dy"},
  };
  for (const auto& [pointer, value, expected] : cases) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    const std::string what = error_of(bad);
    EXPECT_NE(what.find(expected), std::string::npos) << pointer << "\nexpected: " << expected << "\ngot: " << what;
  }
  json without = good;
  without.erase("dma");
  EXPECT_NE(error_of(without).find("does not fit the 0 bytes of HBM"), std::string::npos) << error();
}

TEST_F(ProgramFile, AFullProgramReadBackDrivesTheSameHost) {
  layer::Layer l = counting_layer(2, 60000, false);
  l.beta = {1, 2};
  runtime::PlanRequest r = request_of(l);
  r.step = runtime::Step::full;
  ProgramDescription d;
  d.program = runtime::plan(r);
  d.layer_folder = folder_;
  d.words = d.program.words.size();
  runtime::write_description(file(), d);
  const ProgramDescription back = runtime::read_description(file());
  FakeDevice one, two;
  runtime::HostRuntime first(l, d.program, d.host), second(l, back.program, back.host);
  first.perform_initial(one);
  second.perform_initial(two);
  ASSERT_EQ(first.steps(), second.steps());
  for (std::size_t k = 1; k <= first.steps(); ++k) {
    for (FakeDevice* device : {&one, &two}) {  // results that tell the steps apart
      device->set<float>(d.program.passes[0].regions.y, 0, {static_cast<float>(k)});
      device->set<float>(d.program.passes[0].regions.inv_std, 1, {static_cast<float>(k)});
    }
    first.perform_step(k, one);
    second.perform_step(k, two);
  }
  first.perform_final(one);
  second.perform_final(two);
  EXPECT_TRUE(one == two);
  EXPECT_EQ(first.results().y, second.results().y);
  EXPECT_EQ(first.results().inv_std, second.results().inv_std);
}

TEST_F(ProgramFile, MalformedStreamsAreRefused) {
  runtime::write_description(file(), full_example(300));
  const json good = json::parse(get());
  ASSERT_EQ(error_of(good), "");
  const std::uint64_t first = good["streams"][1]["first"], count = good["streams"][1]["count"];
  const std::tuple<std::string, json, std::string> cases[] = {
      {"/streams/0/first", 1, "streams[0].first is 1, expected an integer from 0 to 0"},
      {"/streams/1/first", first - 1, "streams[1].first is"},
      {"/streams/1/first", first + 1, "streams[1].first is"},
      {"/streams/1/count", 0, "streams[1].count is 0, expected an integer from 1 to"},
      {"/streams/1/count", count + 1, "streams[2].first is"},
      {"/streams/2/count", 18446744073709551615U, "streams[2].count is"},
      {"/streams/1/engine", "dve", "streams[1].engine is \"dve\", expected an engine that has no stream yet"},
      {"/streams/2/engine", "gpsimd", "streams[2].engine is \"gpsimd\", expected dve, pool or act"},
      {"/streams/0", json::object(), "streams[0]"},
      {"/streams", 3, "streams is 3, expected a list"},
      {"/words", good["words"].get<int>() + 1, "expected streams that cover"},
  };
  for (const auto& [pointer, value, expected] : cases) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    EXPECT_NE(error_of(bad).find(expected), std::string::npos)
        << pointer << "\nexpected: " << expected << "\ngot: " << error();
  }
  json bad = good;
  bad["streams"].erase(2);
  EXPECT_NE(error_of(bad).find("expected streams that cover"), std::string::npos) << error();
  bad = good;
  std::swap(bad["streams"][0], bad["streams"][1]);
  EXPECT_NE(error_of(bad), "") << "the second begins where the first one ends";
  bad = good;
  bad["streams"] = json::array();
  EXPECT_EQ(error_of(bad), "") << "none: the DVE executes all words";
}

TEST_F(ProgramFile, WhatBelongsToTheOtherStepIsRefused) {
  runtime::write_description(file(), full_example(300));
  const json full = json::parse(get());
  json bad = full;
  bad["layer"]["statistics"] = "given";
  EXPECT_NE(error_of(bad).find("options.step is \"full\", expected backward: layer.statistics is given"),
            std::string::npos)
      << error();
  bad = full;
  bad["options"]["step"] = "backward";
  EXPECT_NE(error_of(bad).find("placement.y"), std::string::npos) << error();
  bad = full;
  bad["passes"][0]["placement"].erase("y");
  EXPECT_NE(error_of(bad).find("expected key y"), std::string::npos) << error();
  bad = full;
  bad["options"]["step"] = "forward";
  EXPECT_NE(error_of(bad).find("options.step is \"forward\", expected backward or full"), std::string::npos) << error();

  runtime::write_description(file(), example(false, 300, 3));
  const json backward = json::parse(get());
  bad = backward;
  bad["initial"].push_back(
      {{"action", "load_vector"}, {"vector", "beta"}, {"channels", {0, 3}}, {"place", "sbuf[0]+0x0"}});
  EXPECT_NE(error_of(bad).find("vector is \"beta\", expected mean, inv_std or gamma"), std::string::npos) << error();
  for (const char* action : {"store_y", "store_inv_std"}) {
    bad = backward;
    bad["final"].push_back({{"action", action}, {"channels", {0, 3}}, {"place", "sbuf[0]+0x0"}});
    if (std::string(action) == "store_y") bad["final"].back()["elements"] = {0, 300};
    EXPECT_NE(error_of(bad).find("expected another action: options.step is backward"), std::string::npos) << error();
  }
}

TEST_F(ProgramFile, MicrobatchesAreOneToTheElements) {
  runtime::write_description(file(), full_example(300));
  const json good = json::parse(get());
  for (const json& value : {json(0), json(301), json(-1), json("2"), json(1.5)}) {
    json bad = good;
    bad["options"]["microbatches"] = value;
    EXPECT_NE(error_of(bad).find("options.microbatches is " + value.dump() + ", expected an integer from 1 to 300"),
              std::string::npos)
        << error();
  }
}

TEST_F(ProgramFile, NamesNoAbsolutePath) {
  runtime::write_description(file(), example(true));
  EXPECT_EQ(json::parse(get())["layer"]["folder"], "layers/one");
  EXPECT_EQ(get().find(folder_.string()), std::string::npos);
  // The tree can move.
  fs::create_directory(folder_ / "moved");
  fs::rename(file(), folder_ / "moved" / "program.json");
  EXPECT_EQ(runtime::read_description(folder_ / "moved" / "program.json").layer_folder,
            folder_ / "moved" / "layers/one");
}

TEST_F(ProgramFile, TheReadProgramDrivesTheSameHost) {
  const layer::Layer l = counting_layer(2, 60000, true);
  ProgramDescription d;
  d.program = runtime::plan(request_of(l));
  d.layer_folder = folder_;
  d.words = d.program.words.size();
  runtime::write_description(file(), d);
  const ProgramDescription back = runtime::read_description(file());
  FakeDevice one, two;
  runtime::HostRuntime first(l, d.program, d.host), second(l, back.program, back.host);
  first.perform_initial(one);
  second.perform_initial(two);
  ASSERT_EQ(first.steps(), second.steps());
  for (std::size_t k = 1; k <= first.steps(); ++k) {
    first.perform_step(k, one);
    second.perform_step(k, two);
  }
  EXPECT_TRUE(one == two);
}

TEST_F(ProgramFile, RefusesWhatIsNotJson) {
  EXPECT_NE(error().find("does not exist"), std::string::npos);
  for (const std::string text : {"", "{", "[1,]", "nonsense\nmore", "{\"a\":1e999}", "\"\xFF\xFE\""}) {
    put(text);
    EXPECT_NE(error().find("is not JSON"), std::string::npos) << text;
  }
  put(std::string(50000, '['));
  EXPECT_NE(error(), "");
  put(std::string(50000, '[') + std::string(50000, ']'));
  EXPECT_NE(error(), "");
  put("{\"schema\":1,\"schema\":1}");
  EXPECT_NE(error().find("\"schema\" stands twice"), std::string::npos) << error();
}

TEST_F(ProgramFile, EveryHostileValueIsAnErrorOrHarmless) {
  for (const ProgramDescription& description :
       {example(true, 45000, 3), example(false, 45000, 3), full_example(45000), hbm_example(0)}) {
    runtime::write_description(file(), description);
    json good = json::parse(get());
    good["steps"] = json::array({good["steps"][0]});  // the others are more of the same
    ASSERT_EQ(error_of(good), "");
    const std::vector<json> hostile = {nullptr,
                                       true,
                                       -1,
                                       0,
                                       3,
                                       18446744073709551615U,
                                       1e300,
                                       0.5,
                                       "",
                                       "x\n\x01",
                                       "sbuf[0]+0xffffffff",
                                       "sbuf[128]+0x0",
                                       "psum[-1]+0x0",
                                       "sbuf[0]+0x99999999999",
                                       json::array(),
                                       json::array({1, 2, 3}),
                                       json::object(),
                                       json::array({0, 1})};
    const json flat = good.flatten();
    std::size_t errors = 0, tries = 0;
    for (const auto& item : flat.items()) {
      for (const json& value : hostile) {
        json bad = good;
        bad[json::json_pointer(item.key())] = value;
        ++tries;
        if (!error_of(bad).empty()) {
          ++errors;
          continue;
        }
        // Accepted: then the host can perform it without leaving its layer or its partitions.
        const ProgramDescription d = runtime::read_description(file());
        for (const runtime::Action& action : d.program.initial) {
          const auto* load = std::get_if<runtime::LoadTensor>(&action);
          if (load == nullptr) continue;
          EXPECT_LE(load->channels.first + load->channels.count, d.program.request.channels);
          EXPECT_LE(load->elements.first + load->elements.count, d.program.request.elements);
          EXPECT_LE(isa::number(load->place.partition) + load->channels.count, 128U);
        }
      }
    }
    EXPECT_GT(errors, tries * 8 / 10);
  }
}

TEST_F(ProgramFile, EveryKeyIsNeededAndNoOtherKnown) {
  for (const ProgramDescription& description : {example(false, 20000), full_example(300), hbm_example(0)}) {
    runtime::write_description(file(), description);
    const json good = json::parse(get());
    std::vector<std::string> objects{
        "", "/layer", "/options", "/semaphores", "/passes/0", "/passes/0/placement", "/initial/0", "/final/0"};
    if (!good["streams"].empty()) objects.emplace_back("/streams/0");
    if (good.count("dma") != 0) objects.insert(objects.end(), {"/dma", "/dma/rings/0/0"});
    for (const std::string& pointer : objects) {
      const json::json_pointer at(pointer);
      for (const auto& item : good[at].items()) {
        if (item.key() == "dma") continue;  // only with transfers
        json bad = good;
        bad[at].erase(item.key());
        EXPECT_NE(error_of(bad).find("expected key " + item.key()), std::string::npos) << pointer << " " << error();
      }
      json bad = good;
      bad[at]["surplus\n"] = 1;
      EXPECT_NE(error_of(bad).find("no such key"), std::string::npos) << pointer << " " << error();
    }
  }
}

TEST_F(ProgramFile, ErrorsNameKeyValueAndWhatIsAllowed) {
  runtime::write_description(file(), example(false, 20000));
  const json good = json::parse(get());
  const std::tuple<std::string, json, std::string> cases[] = {
      {"/schema", 2, "schema is 2, expected an integer from 1 to 1"},
      {"/layer/channels", 0, "layer.channels is 0, expected an integer from 1 to 4294967295"},
      {"/layer/dtype", "int8", "layer.dtype is \"int8\", expected fp32 or bf16 or fp16"},
      {"/layer/loss_scale", 0, "layer.loss_scale is 0, expected a positive binary32 number"},
      {"/layer/loss_scale", 1e-60, "expected a positive binary32 number"},
      {"/layer/loss_scale", 1e60, "expected a positive binary32 number"},
      {"/options/eps", "a", "options.eps is \"a\", expected a number"},
      {"/options/generation", "trn2", "options.generation is \"trn2\", expected sunda, cayman"},
      {"/options/generation", "maverick", "has no PSUM"},
      {"/semaphores/done", 3, "semaphores.done is 3, expected an integer from 17 to 17"},
      {"/passes", json::array(), "passes is a list of 0, expected at least one pass"},
      {"/passes/0/channels/1", 129, "expected at most 128 channels"},
      {"/passes/0/tiles", json::array(), "expected tiles that cover 20000 elements"},
      {"/passes/0/tiles/0/0", 1, "expected a tile that begins at element 0"},
      {"/initial/0/elements/1", 20001, "initial[0].elements[1] is 20001, expected an integer from 1 to 20000"},
      {"/initial/0/place", "sbuf[1]+0x0", "expected partitions up to 127"},
      {"/initial/0/place", "sbuf[0]+0x37fff", "expected 76096 bytes inside the 229376 of a partition"},
      {"/initial/0/place", "sram[0]+0x0", "expected a place such as sbuf[0]+0x40"},
      {"/initial/0/place", "sbuf[0]+64", "expected a place such as sbuf[0]+0x40"},
      {"/initial/0/action", "format", "initial[0].action is \"format\", expected load_tensor or load_vector"},
      {"/words", 0, "words is 0, expected an integer from 1"},
  };
  for (const auto& [pointer, value, expected] : cases) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    const std::string what = error_of(bad);
    EXPECT_NE(what.find(expected), std::string::npos) << pointer << "\nexpected: " << expected << "\ngot: " << what;
  }
  json given = good;
  given["layer"]["statistics"] = "given";
  for (json& pass : given["passes"]) pass["placement"].erase("triples");
  EXPECT_NE(error_of(given).find("layer.statistics is given"), std::string::npos) << error();
}

}  // namespace
}  // namespace dve::test
