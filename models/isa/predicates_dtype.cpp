// Dtype predicates of isa.md 4.2.
#include "predicates.h"

namespace dve::isa {

bool is_valid_dtype_64(Dtype d, bool allow_fp32r, bool allow_uint64, bool allow_int64, Generation generation) {
  if (d == Dtype::invalid || !is_dtype_member(d, generation)) return false;
  if (d == Dtype::fp32r) return allow_fp32r;
  if (d == Dtype::uint64) return allow_uint64;
  if (d == Dtype::int64) return allow_int64;
  return true;
}

bool is_valid_dtype(Dtype d, bool allow_fp32r, Generation generation) {
  const bool scale = code(d) >= code(Dtype::sfp8_e8) && code(d) <= code(Dtype::sfp8_e5);
  const bool refused_on_v5 = d == Dtype::fp4_e2m1 || d == Dtype::int4 || scale;
  if (core_version(generation) >= 5 && refused_on_v5) return false;
  return is_valid_dtype_64(d, allow_fp32r, false, false, generation);
}

bool is_signed_int(Dtype d) { return d == Dtype::int8 || d == Dtype::int16 || d == Dtype::int32 || d == Dtype::int64; }

bool is_unsigned_int(Dtype d) {
  return d == Dtype::uint8 || d == Dtype::uint16 || d == Dtype::uint32 || d == Dtype::uint64;
}

bool is_valid_64b_int_dtype(Dtype d) { return d == Dtype::uint64 || d == Dtype::int64; }

bool is_valid_int_dtype(Dtype d) { return is_signed_int(d) || is_unsigned_int(d); }

bool is_valid_int_dtype_datapath(Dtype d) { return is_valid_int_dtype(d) && !is_valid_64b_int_dtype(d); }

bool is_valid_fp_dtype_datapath(Dtype d, bool allow_fp32r) {
  switch (d) {
    case Dtype::fp8_e3m4:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
    case Dtype::fp16:
    case Dtype::bf16:
    case Dtype::fp32:
      return true;
    case Dtype::fp32r:
      return allow_fp32r;
    default:
      return false;
  }
}

bool type_size_check(Dtype d, Bytes bytes) { return bytes.value != 0 && storage_size(d) == bytes; }

bool is_arithmetic_dtype(Dtype d) { return d != Dtype::invalid && code(d) <= code(Dtype::fp8_e5m2); }

}  // namespace dve::isa
