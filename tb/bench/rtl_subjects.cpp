#include "bench/rtl_subjects.h"

#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/subjects.h"
#include "dve/rtl/rtl.h"
#include "support/words.h"

namespace dve::bench {
namespace {

using namespace testing_support;

constexpr std::uint16_t kElements = 256;
constexpr std::uint8_t kChannels = 128;

// A word with its operands, and the lanes that it goes through.
class WordInRtl {
 public:
  WordInRtl(bool back_prop, rtl::Stalls stalls) : lanes_(rtl::built_lanes(), rtl::built_shape(), options(stalls)) {
    const WordBuilder build(isa::Generation::cayman);
    const TensorSpec x = row(sbuf(0, 0), kElements), dy = row(sbuf(0, 0x1000), kElements);
    const TensorSpec scalar = row(sbuf(0, 0x4000), 1);
    const isa::Word word =
        back_prop ? isa::encode(build.back_prop(x, dy, row(sbuf(0, 0x2000), kElements), kChannels))
                  : isa::encode(build.grad_accumulate(x, dy, row(sbuf(0, 0x3000), 3), scalar, scalar, kChannels));
    std::vector<isa::Finding> findings;
    plan_ = *execute::Core(execute::CoreConfig{}).plan(word, {}, findings);
    std::mt19937 random(7);
    for (const execute::Access& source : plan_.sources) {
      std::vector<float>& values = operands_.emplace_back(source.packed_bytes().value / sizeof(float));
      for (float& v : values) v = static_cast<float>(random() % 4001) / 1000.0F - 2.0F;
    }
    for (std::size_t i = 0; i < operands_.size(); ++i) rows_.push_back(rows_of(operands_[i]));
    for (std::size_t i = 0; i < operands_.size(); ++i) inputs_.push_back({rows_[i].data(), 0, isa::Dtype::fp32});
    results_.resize(plan_.destination->packed_bytes().value / sizeof(float));
    result_rows_ = rows_of(results_);
    parameters_.assign(kChannels, {kElements, 0.5F, 0.25F, 1, 2, 1});
  }

  void run() {
    if (!lanes_.compute(plan_, inputs_, parameters_, {result_rows_.data(), 0, isa::Dtype::fp32}).empty())
      throw std::runtime_error("the lanes in RTL differ from the model");
  }

 private:
  static rtl::RtlOptions options(rtl::Stalls stalls) {
    rtl::RtlOptions o;
    o.stalls = stalls;
    o.clock_hz = 960'000'000;
    return o;
  }
  static std::vector<std::uint8_t*> rows_of(std::vector<float>& values) {
    std::vector<std::uint8_t*> rows;
    for (std::size_t c = 0; c < kChannels; ++c)
      rows.push_back(reinterpret_cast<std::uint8_t*>(values.data() + c * values.size() / kChannels));
    return rows;
  }

  rtl::RtlLanes lanes_;
  execute::Plan plan_;
  std::vector<std::vector<float>> operands_;
  std::vector<float> results_;
  std::vector<std::vector<std::uint8_t*>> rows_;
  std::vector<std::uint8_t*> result_rows_;
  execute::Inputs inputs_;
  std::vector<numerics::LaneParameters> parameters_;
};

}  // namespace

void add_rtl_subjects() {
  if (!rtl::built_lanes()) return;
  const auto add = [](const std::string& name, bool back_prop, rtl::Stalls stalls) {
    auto word = std::make_shared<WordInRtl>(back_prop, stalls);
    add_subject({name, "element", std::uint64_t{kElements} * kChannels, [word] { word->run(); }});
  };
  add("rtl_grad_accum", false, rtl::Stalls::never);
  add("rtl_back_prop", true, rtl::Stalls::never);
  add("rtl_back_prop_half_stalled", true, rtl::Stalls::half);
}

}  // namespace dve::bench
