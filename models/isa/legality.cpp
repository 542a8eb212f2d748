#include "legality.h"

#include "legality_report.h"

namespace dve::isa {
namespace {

void check_instruction(Report&, const RawWord&) {}
void check_instruction(Report& report, const S4D2Bn& i) { check_stats(report, i); }
void check_instruction(Report& report, const S3S3D1Bn& i) { check_grad_accumulate(report, i); }
void check_instruction(Report& report, const S3S3D1Bn2& i) { check_grad_accumulate2(report, i); }
void check_instruction(Report& report, const S2Bn& i) { check_param_load(report, i); }
void check_instruction(Report& report, const S2Bnpl2& i) { check_param_load2(report, i); }
void check_instruction(Report& report, const S3S3D3Tt& i) { check_back_prop(report, i); }
void check_instruction(Report& report, const CtrlIm& i) { check_load_parameter_ram(report, i); }

}  // namespace

void Report::add(std::string_view predicate, const Field& field, std::string expected) {
  findings_.push_back({std::string(predicate), fmt::format("{}{}", field.name, field.member), field.byte, field.value,
                       std::move(expected)});
}

std::string to_string(const Finding& finding) {
  const std::string hex = finding.value > 9 ? fmt::format(" ({:#x})", finding.value) : std::string();
  return fmt::format("{}: {} at byte {} is {}{}, expected {}", finding.predicate, finding.field, finding.byte,
                     finding.value, hex, finding.expected);
}

std::vector<Finding> check(const Word& word, const LegalityOptions& options) {
  Report report(options);
  check_preamble(report, word);
  std::visit([&report](const auto& instruction) { check_instruction(report, instruction); }, decode(word));
  return report.take();
}

}  // namespace dve::isa
