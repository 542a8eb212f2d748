// The batch-norm layers of published networks, built from how their papers and reference implementations stack blocks.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace dve::workload_test {

// Layers by channels; by channels and height of the image where `sized`.
using Channels = std::map<std::uint64_t, std::uint64_t>;
using Shapes = std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>;

Shapes resnet_50();        // He et al. 2015, table 1; the stride in the first 1x1 convolution of a stage
Channels densenet_121();   // Huang et al. 2016, table 1, growth rate 32; a norm before each convolution
Channels inception_v3();   // Szegedy et al. 2015 as in torchvision's Inception3, without the auxiliary classifier
Shapes vgg16();            // Simonyan and Zisserman 2014, configuration D, a norm after each convolution
Shapes mobilenet_v2();     // Sandler et al. 2018, table 2
Shapes efficientnet_b0();  // Tan and Le 2019, table 1
Shapes resnet_18();        // He et al. 2015, table 1, with the CIFAR stem
Shapes unet();             // Ronneberger et al. 2015, figure 1, padded, a norm after each 3x3 convolution
Shapes dcgan();            // PyTorch examples, dcgan/main.py, 64 feature maps

}  // namespace dve::workload_test
