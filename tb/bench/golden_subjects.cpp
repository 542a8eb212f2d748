#include "bench/golden_subjects.h"

#include <dve_golden.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/programs.h"
#include "bench/subjects.h"

namespace dve::bench {
namespace {

constexpr std::uint16_t kLength = 4096;
constexpr std::uint64_t kElements = std::uint64_t{kLength} * kChannels;

class Golden {
 public:
  Golden() : handle_(dve_golden_create("cayman", nullptr, 0, 0, nullptr, 0)) {
    if (handle_ == nullptr) throw std::runtime_error("no golden");
    const std::vector<float> row(0x8000 / sizeof(float), 0.75F);
    for (std::uint32_t p = 0; p < kChannels; ++p) {
      for (const std::uint64_t at : {0x0, 0x8000, 0x10000})
        check(dve_golden_write(handle_, dve_golden_address(handle_, DVE_GOLDEN_SBUF, p, at), row.data(), 0x8000));
    }
    const std::string streams = "src0=sbuf[0]+0x0:fp32{4096} src1=sbuf[0]+0x4000:fp32{4096} channels=128 dst=sbuf[0]+";
    assemble("batch_norm_param_load src=sbuf[0]+0x10000:fp32{3} imm0=sbuf[0]+0x10010 element_count=4096 channels=128",
             grad_accum);
    check(dve_golden_execute(handle_, DVE_GOLDEN_DVE, grad_accum));
    assemble("batch_norm_grad_accumulate2 " + streams + "0x18000:fp32{3} imm0=sbuf[0]+0x10010 imm1=sbuf[0]+0x10014",
             grad_accum);
    assemble("batch_norm_back_prop " + streams + "0xc000:fp32{4096}", back_prop);
  }
  ~Golden() { dve_golden_destroy(handle_); }
  Golden(const Golden&) = delete;
  Golden& operator=(const Golden&) = delete;

  void execute(const std::uint8_t* word) { check(dve_golden_execute(handle_, DVE_GOLDEN_DVE, word)); }
  // Every element of every channel is asked for.
  void step(const std::uint8_t* word) {
    std::uint32_t channels = 0;
    check(dve_golden_begin(handle_, DVE_GOLDEN_DVE, word, nullptr, &channels));
    dve_golden_element element;
    while (dve_golden_step(handle_) == DVE_GOLDEN_OK)
      for (std::uint32_t c = 0; c < channels; ++c) check(dve_golden_element_of(handle_, c, &element));
    check(dve_golden_finish(handle_));
  }

  std::uint8_t grad_accum[DVE_GOLDEN_WORD_BYTES], back_prop[DVE_GOLDEN_WORD_BYTES];

 private:
  static void check(dve_golden_status status) {
    if (status != DVE_GOLDEN_OK) throw std::runtime_error(std::string("golden: ") + dve_golden_status_name(status));
  }
  void assemble(const std::string& text, std::uint8_t* word) {
    check(dve_golden_assemble(handle_, text.c_str(), word));
  }
  dve_golden* handle_;
};

}  // namespace

void add_golden_subjects() {
  const auto golden = std::make_shared<Golden>();
  add_subject({"golden_grad_accum_fp32_4096", "element", kElements, [golden] { golden->execute(golden->grad_accum); }});
  add_subject({"golden_back_prop_fp32_4096", "element", kElements, [golden] { golden->execute(golden->back_prop); }});
  add_subject({"golden_stepped_grad_accum_4096", "element", kElements, [golden] { golden->step(golden->grad_accum); }});
  add_subject({"golden_stepped_back_prop_4096", "element", kElements, [golden] { golden->step(golden->back_prop); }});
}

}  // namespace dve::bench
