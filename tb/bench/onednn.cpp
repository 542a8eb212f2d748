#include "bench/onednn.h"

#include <oneapi/dnnl/dnnl.hpp>
#include <random>
#include <unordered_map>
#include <vector>

namespace dve::bench {
namespace {

using dnnl::memory;

memory filled(const memory::desc& desc, const dnnl::engine& engine, float mean, float deviation) {
  memory m(desc, engine);
  std::mt19937 random(1);
  std::normal_distribution<float> normal(mean, deviation);
  float* values = static_cast<float*>(m.get_data_handle());
  for (std::size_t k = 0; k < desc.get_size() / sizeof(float); ++k) values[k] = normal(random);
  return m;
}

}  // namespace

struct OneDnnBackward::Primitive {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::batch_normalization_backward backward;
  std::unordered_map<int, memory> arguments;
};

OneDnnBackward::OneDnnBackward(std::int64_t channels, std::int64_t elements, Layout layout)
    : primitive_(std::make_unique<Primitive>()) {
  using tag = memory::format_tag;
  using kind = memory::data_type;
  const memory::desc data({1, channels, 1, elements}, kind::f32, layout == Layout::nchw ? tag::nchw : tag::nChw16c);
  const memory::desc vector({channels}, kind::f32, tag::a);
  // Without use_global_stats: the gradient of a training step, in which the statistics depend on x.
  const auto training = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
  Primitive& p = *primitive_;
  const dnnl::batch_normalization_forward::primitive_desc hint(
      {dnnl::prop_kind::forward_training, data, 1e-5F, training}, p.engine);
  const dnnl::batch_normalization_backward::primitive_desc desc(
      {dnnl::prop_kind::backward, data, data, 1e-5F, training}, p.engine, hint);
  p.backward = dnnl::batch_normalization_backward(desc);
  p.arguments = {
      {DNNL_ARG_SRC, filled(data, p.engine, 0, 1)},        {DNNL_ARG_DIFF_DST, filled(data, p.engine, 0, 1)},
      {DNNL_ARG_MEAN, filled(vector, p.engine, 0, 0.1F)},  {DNNL_ARG_VARIANCE, filled(vector, p.engine, 1, 0.01F)},
      {DNNL_ARG_SCALE, filled(vector, p.engine, 1, 0.1F)}, {DNNL_ARG_SHIFT, filled(vector, p.engine, 0, 0.1F)},
      {DNNL_ARG_DIFF_SRC, memory(data, p.engine)},         {DNNL_ARG_DIFF_SCALE, memory(vector, p.engine)},
      {DNNL_ARG_DIFF_SHIFT, memory(vector, p.engine)}};
}

OneDnnBackward::~OneDnnBackward() = default;

void OneDnnBackward::run() {
  primitive_->backward.execute(primitive_->stream, primitive_->arguments);
  primitive_->stream.wait();
}

}  // namespace dve::bench
