// The files in configs/workloads against the published architectures and the list of shapes.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "architectures.h"
#include "dve/workload/workload.h"

namespace dve::workload_test {
namespace {

workload::Workload network(const std::string& name) {
  return workload::read_workload(std::string(DVE_SOURCE_DIR "/configs/workloads/") + name + ".json");
}

Shapes shapes_of(const workload::Workload& workload) {
  Shapes shapes;
  for (const workload::Layer& layer : workload.layers) {
    EXPECT_EQ(layer.nchw[2], layer.nchw[3]) << layer.name;
    shapes[{layer.nchw[1], layer.nchw[2]}] += layer.repeat;
  }
  return shapes;
}

Channels channels_of(const workload::Workload& workload) {
  Channels channels;
  for (const workload::Layer& layer : workload.layers) channels[layer.nchw[1]] += layer.repeat;
  return channels;
}

TEST(Networks, HaveTheLayersOfTheirArchitectures) {
  EXPECT_EQ(shapes_of(network("resnet_50")), resnet_50());
  EXPECT_EQ(channels_of(network("densenet_121")), densenet_121());
  EXPECT_EQ(channels_of(network("inception_v3")), inception_v3());
  EXPECT_EQ(shapes_of(network("vgg16_bn")), vgg16());
  EXPECT_EQ(shapes_of(network("mobilenet_v2")), mobilenet_v2());
  EXPECT_EQ(shapes_of(network("efficientnet_b0")), efficientnet_b0());
  EXPECT_EQ(shapes_of(network("resnet_18")), resnet_18());
  EXPECT_EQ(shapes_of(network("unet")), unet());
  EXPECT_EQ(shapes_of(network("dcgan")), dcgan());
}

TEST(Networks, HaveTheirPublishedNumberOfLayersAndTheirBatch) {
  struct Known {
    const char* name;
    std::uint64_t layers, batch;
  };
  for (const Known& known : {Known{"resnet_50", 53, 50}, Known{"densenet_121", 121, 1}, Known{"inception_v3", 94, 96},
                             Known{"vgg16_bn", 13, 32}, Known{"mobilenet_v2", 52, 64}, Known{"efficientnet_b0", 49, 64},
                             Known{"resnet_18", 20, 128}, Known{"unet", 18, 4}, Known{"dcgan", 7, 128}}) {
    const workload::Workload workload = network(known.name);
    EXPECT_EQ(workload.name, known.name);
    EXPECT_EQ(workload.layer_count(), known.layers) << known.name;
    EXPECT_EQ(workload.batch, known.batch) << known.name;
    for (const workload::Layer& layer : workload.layers) {
      EXPECT_EQ(layer.dtype, isa::Dtype::bf16) << known.name;
      EXPECT_FALSE(layer.statistics_given) << known.name;
    }
  }
}

// "conv2_1/x2/bn*7" is a shape that occurs seven times.
TEST(Networks, OfTheListOfShapesAreCompleteAndInItsOrder) {
  std::ifstream in(DVE_TEST_DATA_DIR "/cases/shapes.json");
  const nlohmann::json document = nlohmann::json::parse(in);
  const std::pair<const char*, const char*> pairs[] = {
      {"resnet_50", "resnet_50"}, {"densenet_121", "densenet_121"}, {"googlenet_v3", "inception_v3"}};
  for (const auto& [listed, name] : pairs) {
    const workload::Workload workload = network(name);
    std::size_t k = 0;
    for (const auto& shape : document["shapes"]) {
      if (shape["net"] != listed) continue;
      ASSERT_LT(k, workload.layers.size()) << name;
      const workload::Layer& layer = workload.layers[k++];
      const std::string text = shape["layer"];
      const std::size_t star = text.find('*');
      EXPECT_EQ(layer.repeat, star == std::string::npos ? 1 : std::stoull(text.substr(star + 1))) << text;
      const std::array<std::uint64_t, 4> nchw = {shape["N"], shape["C"], shape["H"], shape["W"]};
      EXPECT_EQ(layer.nchw, nchw) << text;
      EXPECT_EQ(layer.elements(), shape["per_channel"].get<std::uint64_t>()) << text;
    }
    EXPECT_EQ(k, workload.layers.size()) << name;
  }
}

TEST(Networks, AreFoundByNameAndUnknownOnesNameThem) {
  setenv("DVE_CONFIG_DIR", DVE_SOURCE_DIR "/configs", 1);
  EXPECT_EQ(workload::find_workload("unet", "").stem(), "unet");
  try {
    workload::find_workload("unet_3d", "");
    FAIL();
  } catch (const layer::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("unet_3d: does not exist, expected a file, or one of"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("resnet_18, resnet_50, unet"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dve::workload_test
