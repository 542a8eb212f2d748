// Predicates of the activation engine's words (isa-neighbours.md 2, 5).
#include <algorithm>

#include "predicates.h"
#include "predicates_bytes.h"

namespace dve::isa {

bool s3d3_ac_valid_func(ActivationFunc f) {
  const std::vector<ActivationFunc>& named = named_activation_funcs();
  return std::find(named.begin(), named.end(), f) != named.end();
}

bool s3d3_ac_accumulator_cmd(const S3D3Ac& i) {
  return i.accumulator_cmd <= static_cast<std::uint8_t>(AccumCmd::load_accumulate);
}

bool s3d3_ac_valid_bias_type(Dtype d) { return d == Dtype::fp16 || d == Dtype::bf16 || d == Dtype::fp32; }

bool s3d3_ac_reads_imm(const S3D3Ac& i) { return i.activation_func == ActivationFunc::prelu; }

bool ctrl_table_set_index(const CtrlTable& i) { return i.set_index < kTableSets; }
bool reserved_zero(const CtrlTable& i) { return all_zero(i.reserved0) && all_zero(i.reserved1); }

bool act_read_accumulator_generation(Generation generation) { return core_version(generation) < 5; }
bool d1_rd_one_element(std::uint32_t count) { return count == 1; }

bool d1_rd_valid_type(Dtype d) { return s3d3_ac_valid_bias_type(d) || d == Dtype::fp32r; }
bool d1_rd_negated_zero(const D1Rd& i) { return i.negated == 0; }

bool reserved_zero(const D1Rd& i) { return all_zero(i.reserved0) && all_zero(i.reserved1) && all_zero(i.reserved2); }

}  // namespace dve::isa
