#include "fp32_units.h"

#include <fmt/format.h>
#include <verilated.h>

#include "Fp32Planted.h"
#include "Fp32Planted_dve_planted_pkg.h"
#include "Fp32Rtl.h"
#include "golden/golden.h"

namespace dve::cosim {

namespace {

std::uint32_t canonical_bits(float value) { return golden::bits_of_float(golden::canonical(value)); }

}  // namespace

// The units of bench/fp32_top.sv.
class Fp32Comparison::Rtl {
 public:
  struct Outputs {
    std::uint32_t product1, sum1, product3, sum3;
  };
  virtual ~Rtl() = default;
  // One clock cycle with these operands; what the units show after it.
  virtual Outputs clock(std::uint32_t a, std::uint32_t b, bool subtract) = 0;
};

template <class Verilated>
class Fp32Comparison::VerilatedUnits : public Rtl {
 public:
  ~VerilatedUnits() override { model.final(); }
  Outputs clock(std::uint32_t a, std::uint32_t b, bool subtract) override {
    model.a = a;
    model.b = b;
    model.subtract = subtract;
    model.clk = 0;
    model.eval();
    model.clk = 1;
    model.eval();
    return {model.product1, model.sum1, model.product3, model.sum3};
  }

  VerilatedContext context;
  Verilated model{&context};
};

Fp32Results host_results(std::uint32_t a, std::uint32_t b, bool subtract) {
  const float x = golden::float_of_bits(a);
  const float y = golden::float_of_bits(b);
  return {canonical_bits(x * y), canonical_bits(subtract ? x - y : x + y)};
}

Fp32Comparison::Fp32Comparison(PlantedBug bug) {
  if (bug == PlantedBug::none) {
    rtl_ = std::make_unique<VerilatedUnits<Fp32Rtl>>();
    return;
  }
  auto planted = std::make_unique<VerilatedUnits<Fp32Planted>>();
  planted->model.eval();  // gives the choice its initial value
  planted->model.__PVT__dve_planted_pkg->chosen = static_cast<std::uint8_t>(bug);
  rtl_ = std::move(planted);
}

Fp32Comparison::~Fp32Comparison() = default;

void Fp32Comparison::check(const char* unit, const Fed& fed, std::uint32_t expected, std::uint32_t got) {
  if (expected == got) return;
  if (mismatches_++ == 0) {
    first_ = fmt::format(
        "{}: {:.9g} (0x{:08X}) and {:.9g} (0x{:08X}){}: expected {:.9g} (0x{:08X}), got {:.9g} (0x{:08X})", unit,
        golden::float_of_bits(fed.a), fed.a, golden::float_of_bits(fed.b), fed.b, fed.subtract ? ", subtracted" : "",
        golden::float_of_bits(expected), expected, golden::float_of_bits(got), got);
  }
}

void Fp32Comparison::feed(std::uint32_t a, std::uint32_t b, bool subtract) {
  const Rtl::Outputs got = rtl_->clock(a, b, subtract);
  history_[2] = history_[1];
  history_[1] = history_[0];
  history_[0] = {a, b, subtract, host_results(a, b, subtract)};
  check("fp32_multiply, 1 stage", history_[0], history_[0].expected.product, got.product1);
  check("fp32_add, 1 stage", history_[0], history_[0].expected.sum, got.sum1);
  if (++fed_ < 3) return;
  check("fp32_multiply, 3 stages", history_[2], history_[2].expected.product, got.product3);
  check("fp32_add, 3 stages", history_[2], history_[2].expected.sum, got.sum3);
}

}  // namespace dve::cosim
