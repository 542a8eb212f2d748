#include <cmath>

#include "test_files.h"

namespace dve::test {
namespace {

using layer::Layer;
using layer::LayerOptions;

// A valid [2, 3] layer of fp32 with given statistics.
void put_small_layer(const TemporaryFolder& folder) {
  put(folder / "x.npy", npy("<f4", "(2, 3)", raw(std::vector<float>{1, 2, 3, 4, 5, 6})));
  put(folder / "dy.npy", npy("<f4", "(2, 3)", raw(std::vector<float>{-1, 0.5F, 1, 2, -2, 0.1F})));
  for (const char* name : {"gamma.npy", "mean.npy", "inv_std.npy"}) {
    put(folder / name, npy("<f4", "(2,)", raw(std::vector<float>{1.5F, -2})));
  }
}

std::vector<float> floats(const std::vector<std::uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<std::uint16_t> halves(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint16_t> values(bytes.size() / 2);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(LayerFolder, LoadsTwoDimensions) {
  TemporaryFolder folder;
  put_small_layer(folder);
  const Layer layer = layer::load_layer(folder.path());
  EXPECT_EQ(layer.channels, 2U);
  EXPECT_EQ(layer.elements, 3U);
  EXPECT_EQ(layer.dtype, isa::Dtype::fp32);
  EXPECT_TRUE(layer.statistics_given);
  EXPECT_EQ(floats(layer.x), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(floats(layer.dy), (std::vector<float>{-1, 0.5F, 1, 2, -2, 0.1F}));
  EXPECT_EQ(layer.file_x, floats(layer.x));
  EXPECT_EQ(layer.gamma, (std::vector<float>{1.5F, -2}));
  EXPECT_EQ(layer.mean, layer.gamma);
  EXPECT_TRUE(layer.beta.empty());
  EXPECT_TRUE(layer.references.empty());
}

TEST(LayerFolder, StreamOrderOfNchwIsBatchThenTheRest) {
  TemporaryFolder folder;
  std::vector<float> x, expected;
  for (int n = 0; n < 2; ++n) {
    for (int c = 0; c < 3; ++c) {
      for (int s = 0; s < 4; ++s) x.push_back(static_cast<float>(100 * n + 10 * c + s));
    }
  }
  for (int c = 0; c < 3; ++c) {
    for (int n = 0; n < 2; ++n) {
      for (int s = 0; s < 4; ++s) expected.push_back(static_cast<float>(100 * n + 10 * c + s));
    }
  }
  const std::string gamma = npy("<f4", "(3,)", raw(std::vector<float>{1, 1, 1}));
  put(folder / "gamma.npy", gamma);
  for (const char* shape : {"(2, 3, 4)", "(2, 3, 2, 2)", "(2, 3, 1, 4, 1)"}) {
    put(folder / "x.npy", npy("<f4", shape, raw(x)));
    put(folder / "dy.npy", npy("<f4", shape, raw(x)));
    put(folder / "dx.npy", npy("<f4", shape, raw(x)));
    const Layer layer = layer::load_layer(folder.path());
    EXPECT_EQ(layer.channels, 3U);
    EXPECT_EQ(layer.elements, 8U);
    EXPECT_FALSE(layer.statistics_given);
    EXPECT_EQ(floats(layer.x), expected) << shape;
    EXPECT_EQ(layer.file_dy, expected) << shape;
    EXPECT_EQ(layer.references.at("dx").values, std::vector<double>(expected.begin(), expected.end())) << shape;
    const layer::NpyArray back = layer::tensor_array(layer, layer.x);
    EXPECT_EQ(floats(back.data), x) << shape;
    EXPECT_EQ(back.shape, layer.shape) << shape;
  }
}

TEST(LayerFolder, ConvertsToTheDeviceDtype) {
  TemporaryFolder folder;
  put_small_layer(folder);
  // 1 + 2^-8 is half way between two bfloat16 values: the even one, 1, is nearest. 1 + 3*2^-8 goes up to 1 + 2^-6.
  put(folder / "x.npy",
      npy("<f4", "(2, 3)", raw(std::vector<float>{1 + 0x1p-8F, 1 + 3 * 0x1p-8F, -1, 3e38F, 1e-40F, NAN})));
  LayerOptions options;
  options.dtype = isa::Dtype::bf16;
  EXPECT_EQ(halves(layer::load_layer(folder.path(), options).x),
            (std::vector<std::uint16_t>{0x3F80, 0x3F82, 0xBF80, 0x7F62, 0x0001, 0x7FC0}));
  options.dtype = isa::Dtype::fp16;
  EXPECT_EQ(halves(layer::load_layer(folder.path(), options).x),
            (std::vector<std::uint16_t>{0x3C04, 0x3C0C, 0xBC00, 0x7C00, 0x0000, 0x7E00}));
  options.switches.narrow_overflow = numerics::NarrowOverflow::saturate;
  EXPECT_EQ(halves(layer::load_layer(folder.path(), options).x)[3], 0x7BFF);
}

TEST(LayerFolder, EqualDtypesKeepTheirBits) {
  TemporaryFolder folder;
  put_small_layer(folder);
  const std::vector<std::uint16_t> bits{0x7FC1, 0xFF81, 0x8000,
                                        0x0001, 0x3F80, 0x7F80};  // NaN payloads, -0, subnormal, inf
  put(folder / "x.npy", npy("<u2", "(2, 3)", raw(bits)));
  put(folder / "dy.npy", npy("<u2", "(2, 3)", raw(bits)));
  const Layer layer = layer::load_layer(folder.path());
  EXPECT_EQ(layer.dtype, isa::Dtype::bf16);
  EXPECT_EQ(halves(layer.x), bits);
  EXPECT_EQ(halves(layer.dy), bits);
}

TEST(LayerFolder, LossScaleMultipliesDyInBinary32) {
  TemporaryFolder folder;
  put_small_layer(folder);
  LayerOptions options;
  options.loss_scale = 3;
  const Layer layer = layer::load_layer(folder.path(), options);
  EXPECT_EQ(floats(layer.dy), (std::vector<float>{-3, 1.5F, 3, 6, -6, 0.1F * 3.0F}));
  EXPECT_EQ(layer.file_dy[5], 0.1F);
  EXPECT_EQ(floats(layer.x), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  for (const float bad : {0.0F, -1.0F, INFINITY, NAN}) {
    options.loss_scale = bad;
    EXPECT_NE(input_error([&] { layer::load_layer(folder.path(), options); }).find("loss scale"), std::string::npos);
  }
}

TEST(LayerFolder, StatisticsAreBothOrNeither) {
  TemporaryFolder folder;
  put_small_layer(folder);
  put(folder / "var.npy", npy("<f4", "(2,)", raw(std::vector<float>{1, 2})));
  EXPECT_EQ(layer::load_layer(folder.path()).references.count("var"), 0U) << "mean and var are inputs here";
  LayerOptions device;
  device.device_statistics = true;
  const Layer computed = layer::load_layer(folder.path(), device);
  EXPECT_FALSE(computed.statistics_given);
  EXPECT_TRUE(computed.mean.empty());
  EXPECT_EQ(computed.references.at("mean").values, (std::vector<double>{1.5, -2}));
  EXPECT_EQ(computed.references.at("var").values, (std::vector<double>{1, 2}));

  std::filesystem::remove(folder / "inv_std.npy");
  EXPECT_NE(input_error([&] { layer::load_layer(folder.path()); }).find("both or neither"), std::string::npos);
  EXPECT_FALSE(layer::load_layer(folder.path(), device).statistics_given);
  std::filesystem::remove(folder / "mean.npy");
  EXPECT_FALSE(layer::load_layer(folder.path()).statistics_given);
  put(folder / "inv_std.npy", npy("<f4", "(2,)", raw(std::vector<float>{1, 2})));
  EXPECT_NE(input_error([&] { layer::load_layer(folder.path()); }).find("both or neither"), std::string::npos);
}

TEST(LayerFolder, RefusesWhatDoesNotFit) {
  const std::string six = raw(std::vector<float>{1, 2, 3, 4, 5, 6}), two = raw(std::vector<float>{1, 2});
  struct Case {
    std::string file, bytes, expected;
  };
  const Case cases[] = {
      {"x.npy", npy("<f4", "(6,)", six), "at least 2 dimensions"},
      {"x.npy", npy("<f4", "()", two.substr(0, 4)), "at least 2 dimensions"},
      {"x.npy", npy("<f4", "(2, 0)", ""), "no elements"},
      {"x.npy", npy("<f4", "(0, 2)", ""), "no elements"},
      {"x.npy", npy("<f4", "(2, 0, 3)", ""), "no elements"},
      {"x.npy", npy("<f8", "(2, 3)", six + six), "expected <f4, <f2 or <u2"},
      {"x.npy", npy("<i4", "(2, 3)", six), "expected <f4, <f2 or <u2"},
      {"x.npy", npy("<f4", "(3, 2)", six), "dy.npy: shape [2, 3], expected [3, 2]"},
      {"dy.npy", npy("<f4", "(2, 3, 1)", six), "expected [2, 3] as x.npy"},
      {"dy.npy", npy("<f2", "(2, 3)", six.substr(0, 12)), "dtype <f2, expected <f4 as x.npy"},
      {"gamma.npy", npy("<f4", "(3,)", six.substr(0, 12)), "expected [2]"},
      {"gamma.npy", npy("<f4", "(2, 1)", two), "expected [2]"},
      {"gamma.npy", npy("<f8", "(2,)", two + two), "expected <f4"},
      {"beta.npy", npy("<f4", "(1,)", two.substr(0, 4)), "expected [2]"},
      {"mean.npy", npy("<f4", "(2, 3)", six), "expected [2]"},
      {"inv_std.npy", npy("<f2", "(2,)", two.substr(0, 4)), "expected <f4"},
      {"dx.npy", npy("<f4", "(3, 2)", six), "expected [2, 3] as x.npy"},
      {"dx64.npy", npy("<i8", "(2, 3)", six + six), "expected <f8"},
      {"dgamma64.npy", npy("<f8", "(3,)", six), "expected [2]"},
      {"y.npy", "garbage, not an array", "not a .npy file"},
  };
  for (const Case& c : cases) {
    TemporaryFolder folder;
    put_small_layer(folder);
    put(folder / c.file, c.bytes);
    const std::string error = input_error([&] { layer::load_layer(folder.path()); });
    EXPECT_NE(error.find(c.expected), std::string::npos) << c.file << " expected: " << c.expected << "\ngot: " << error;
    EXPECT_NE(error.find(".npy"), std::string::npos) << error;
  }
  for (const char* missing : {"x.npy", "dy.npy", "gamma.npy"}) {
    TemporaryFolder folder;
    put_small_layer(folder);
    std::filesystem::remove(folder / missing);
    const std::string error = input_error([&] { layer::load_layer(folder.path()); });
    EXPECT_NE(error.find(std::string(missing) + ": does not exist"), std::string::npos) << error;
  }
  TemporaryFolder folder;
  put_small_layer(folder);
  EXPECT_NE(input_error([&] { layer::load_layer(folder / "none"); }).find("does not exist"), std::string::npos);
  EXPECT_NE(input_error([&] { layer::load_layer(folder / "x.npy"); }).find("not a directory"), std::string::npos);
  LayerOptions options;
  options.dtype = isa::Dtype::int8;
  EXPECT_NE(input_error([&] { layer::load_layer(folder.path(), options); }).find("int8"), std::string::npos);
}

TEST(LayerFolder, WritesYInTheOrderOfTheFile) {
  TemporaryFolder folder, out;
  std::vector<float> x(12);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  put(folder / "x.npy", npy("<f4", "(2, 3, 2)", raw(x)));
  put(folder / "dy.npy", npy("<f4", "(2, 3, 2)", raw(x)));
  put(folder / "gamma.npy", npy("<f4", "(3,)", raw(std::vector<float>{1, 1, 1})));
  put(folder / "beta.npy", npy("<f4", "(3,)", raw(std::vector<float>{4, 5, 6})));
  put(folder / "y.npy", npy("<f4", "(2, 3, 2)", raw(x)));
  const Layer layer = layer::load_layer(folder.path());
  EXPECT_EQ(layer.beta, (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(layer.references.at("y").values, (std::vector<double>{0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}));
  layer::Results results;
  results.dx = results.y = layer.x;
  results.dgamma = results.dbeta = {0, 0, 0};
  layer::write_results(layer, results, out.path());
  EXPECT_EQ(floats(layer::read_npy(out / "y.npy").data), x);
}

TEST(LayerFolder, WritesResultsInTheLayersShape) {
  TemporaryFolder folder, out;
  const std::string tensor = npy("<u2", "(2, 1, 2)", raw(std::vector<std::uint16_t>{1, 2, 3, 4}));
  put(folder / "x.npy", tensor);
  put(folder / "dy.npy", tensor);
  put(folder / "gamma.npy", npy("<f4", "(1,)", raw(std::vector<float>{1})));
  const Layer layer = layer::load_layer(folder.path());
  layer::Results results;
  results.dx = {5, 0, 6, 0, 7, 0, 8, 0};
  results.dgamma = {1.5F};
  results.dbeta = {2.5F};
  layer::write_results(layer, results, out.path());
  EXPECT_EQ(out.entries(), 3U);
  const layer::NpyArray dx = layer::read_npy(out / "dx.npy");
  EXPECT_EQ(dx.type, layer::NpyType::u2);
  EXPECT_EQ(dx.shape, (std::vector<std::uint64_t>{2, 1, 2}));
  EXPECT_EQ(dx.data, results.dx);
  EXPECT_EQ(layer::float_values(layer::read_npy(out / "dbeta.npy")), std::vector<double>{2.5});
  results.mean = results.var = results.inv_std = {3};
  layer::write_results(layer, results, out.path());
  EXPECT_EQ(out.entries(), 6U);
  results.y = {1, 0, 3, 0, 2, 0, 4, 0};
  layer::write_results(layer, results, out.path());
  EXPECT_EQ(out.entries(), 7U);
  const layer::NpyArray y = layer::read_npy(out / "y.npy");
  EXPECT_EQ(y.type, layer::NpyType::u2);
  EXPECT_EQ(y.shape, (std::vector<std::uint64_t>{2, 1, 2}));
  EXPECT_EQ(y.data, results.y);
  EXPECT_THROW(layer::write_results(layer, results, out / "none"), layer::OutputError);
}

}  // namespace
}  // namespace dve::test
