// Workload files: what they say, and every way to say it wrong.
#include <gtest/gtest.h>

#include <string>

#include "dve/workload/workload.h"

namespace dve::workload_test {
namespace description_test {
namespace {

using config::TensorPlace;
using json::Json;

const char* const kSmall =
    R"({"schema": 1, "name": "small", "batch": 4, "dtype": "bf16", "tile_elements": 500, "layers": [
  {"name": "a", "nchw": [4, 64, 28, 28]},
  {"name": "b", "nchw": [4, 200, 14, 7], "repeat": 3, "place": "hbm", "tile_elements": 300, "dtype": "fp16"},
  {"name": "c", "nchw": [4, 20, 9, 9], "statistics": "given", "place": {"x": "psum", "dx": "hbm"}, "data": "folder"}]})";

Json small() { return Json::parse(kSmall); }

workload::Workload read(const Json& document) { return workload::workload_of(document, "dir/w.json"); }

TEST(Workload, LayersHaveTheirOwnValuesOrThoseOfTheFile) {
  const workload::Workload w = read(small());
  ASSERT_EQ(w.layers.size(), 3u);
  EXPECT_EQ(w.layer_count(), 5u);
  EXPECT_EQ(w.batch, 4u);
  const auto &a = w.layers[0], &b = w.layers[1], &c = w.layers[2];
  EXPECT_EQ(a.channels(), 64u);
  EXPECT_EQ(a.elements(), 4u * 28 * 28);
  EXPECT_EQ(b.elements(), 4u * 14 * 7);
  EXPECT_EQ(a.repeat, 1u);
  EXPECT_EQ(b.repeat, 3u);
  EXPECT_EQ(a.dtype, isa::Dtype::bf16);
  EXPECT_EQ(b.dtype, isa::Dtype::fp16);
  EXPECT_EQ(a.tile_elements, 500u);
  EXPECT_EQ(b.tile_elements, 300u);
  EXPECT_FALSE(a.place);
  EXPECT_EQ(b.place->dy, TensorPlace::hbm);
  EXPECT_EQ(c.place->x, TensorPlace::psum);
  EXPECT_EQ(c.place->dy, TensorPlace::sbuf);
  EXPECT_EQ(c.place->dx, TensorPlace::hbm);
  EXPECT_FALSE(a.statistics_given);
  EXPECT_TRUE(c.statistics_given);
  EXPECT_EQ(a.data, "");
  EXPECT_EQ(c.data, "dir/folder");
}

TEST(Workload, PsumHoldsXAlone) {
  Json document = small();
  document["place"] = "psum";
  const workload::Place place = *read(document).layers[0].place;
  EXPECT_EQ(place.x, TensorPlace::psum);
  EXPECT_EQ(place.dy, TensorPlace::sbuf);
  EXPECT_EQ(place.dx, TensorPlace::sbuf);
  EXPECT_EQ(workload::to_string(place), "psum");
  EXPECT_EQ(workload::to_string(*read(document).layers[2].place), "x psum, dy sbuf, dx hbm");
}

struct Wrong {
  const char* pointer;  // JSON pointer of the value that is replaced
  const char* value;
  const char* message;
};
void PrintTo(const Wrong& k, std::ostream* out) { *out << k.pointer << " " << k.value; }
class WrongWorkload : public testing::TestWithParam<Wrong> {};

TEST_P(WrongWorkload, NamesFileKeyValueAndWhatIsExpected) {
  Json document = small();
  document[Json::json_pointer(GetParam().pointer)] = Json::parse(GetParam().value);
  try {
    read(document);
    FAIL() << GetParam().pointer;
  } catch (const layer::InputError& error) {
    EXPECT_EQ(std::string(error.what()), std::string("dir/w.json: ") + GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongWorkload,
    testing::Values(
        Wrong{"/schema", "2", "schema is 2, expected an integer from 1 to 1"},
        Wrong{"/name", "7", "name is 7, expected a string"},
        Wrong{"/batch", "0", "batch is 0, expected an integer from 1 to 1048576"},
        Wrong{"/batch", "5", "layers[0].nchw[0] is 4, expected 5, the batch"},
        Wrong{"/dtype", "\"fp8\"", "dtype is \"fp8\", expected fp32 or bf16 or fp16"},
        Wrong{"/place", "\"dram\"", "place is \"dram\", expected sbuf or psum or hbm"},
        Wrong{"/place", "3", "place is 3, expected sbuf, psum or hbm, or an object with x, dy and dx"},
        Wrong{"/layers/2/place/x", "\"dram\"", "layers[2].place.x is \"dram\", expected sbuf or psum or hbm"},
        Wrong{"/statistics", "\"host\"", "statistics is \"host\", expected device or given"},
        Wrong{"/seed", "-1", "seed is -1, expected an integer from 0 to 18446744073709551615"},
        Wrong{"/layers", "[]", "layers is a list of 0, expected at least one layer"},
        Wrong{"/layers/0/nchw", "[4, 64, 28]", "layers[0].nchw is a list of 3, expected a list of 4: N, C, H, W"},
        Wrong{"/layers/0/nchw/1", "0", "layers[0].nchw[1] is 0, expected an integer from 1 to 1048576"},
        Wrong{"/layers/0/nchw/2", "2.5", "layers[0].nchw[2] is 2.5, expected an integer from 1 to 1048576"},
        Wrong{"/layers/1/repeat", "0", "layers[1].repeat is 0, expected an integer from 1 to 1000000"},
        Wrong{"/layers/1/name", "\"a\"", "layers[1].name is \"a\", expected a name that no other layer has"},
        Wrong{"/layers/1/name", "\"b.c\"", "layers[1].name is \"b.c\", expected a name of letters, digits, _ and -"},
        Wrong{"/layers/2/data", "\"\"", "layers[2].data is \"\", expected a layer folder"},
        Wrong{"/layers/1/plac", "1",
              "layers[1].plac is 1, expected no such key; known are name, nchw, repeat, place, dtype, tile_elements, "
              "statistics, data"}));

TEST(WorkloadSettings, PlaceAndTilingOfALayerYieldToSetAlone) {
  setenv("DVE_CONFIG_DIR", DVE_SOURCE_DIR "/configs", 1);
  const workload::Layer b = read(small()).layers[1];
  const config::Effective own = workload::settings_for(b, config::load("", {}));
  EXPECT_EQ(own.config.place.x, TensorPlace::hbm);
  EXPECT_EQ(own.config.dma.tile_elements, 300u);
  const config::Effective set = workload::settings_for(b, config::load("", {"place.x=sbuf", "dma.tile_elements=0"}));
  EXPECT_EQ(set.config.place.x, TensorPlace::sbuf);
  EXPECT_EQ(set.config.place.dy, TensorPlace::hbm);
  EXPECT_EQ(set.config.dma.tile_elements, 0u);
  EXPECT_EQ(workload::settings_for(read(small()).layers[0], config::load("", {"place.x=psum"})).config.place.x,
            TensorPlace::psum);
}

TEST(WorkloadSettings, ContradictionsAreErrors) {
  setenv("DVE_CONFIG_DIR", DVE_SOURCE_DIR "/configs", 1);
  const workload::Layer c = read(small()).layers[2];
  EXPECT_THROW(workload::settings_for(c, config::load("", {"place.dy=psum"})), config::Error);
}

TEST(WorkloadChanges, ReplaceKeysOfTheFileAndOfLayers) {
  Json document = small();
  workload::replace(document, "batch", 9, "w.json");
  workload::replace(document, "layers.b.repeat", 8, "w.json");
  workload::replace(document, "layers.a.place", "hbm", "w.json");
  workload::replace(document, "dtype", "fp32", "w.json");
  const workload::Workload w = read(document);
  EXPECT_EQ(w.layers[2].nchw[0], 9u);
  EXPECT_EQ(w.layers[1].repeat, 8u);
  EXPECT_EQ(w.layers[0].place->dx, TensorPlace::hbm);
  EXPECT_EQ(w.layers[0].dtype, isa::Dtype::fp32);
  EXPECT_EQ(w.layers[1].dtype, isa::Dtype::fp16);
}

TEST(WorkloadChanges, OfUnknownKeysAreErrors) {
  Json document = small();
  for (const char* key : {"name", "layers", "layers.", "layers.a", "layers.z.place", "layers.a.name", "layers.a.x", ""})
    EXPECT_THROW(workload::replace(document, key, 1, "w.json"), layer::InputError) << key;
}

}  // namespace
}  // namespace description_test
}  // namespace dve::workload_test
