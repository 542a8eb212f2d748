#include "dtype.h"

#include <array>

#include "code_name.h"

namespace dve::isa {
namespace {

struct Named {
  Dtype code;
  std::string_view name;
  std::uint8_t storage;  // bytes; 0: no whole bytes
};

// clang-format off
constexpr std::array kDtypes = {
    Named{Dtype::invalid, "invalid", 0},   Named{Dtype::uint64, "uint64", 8},     Named{Dtype::int8, "int8", 1},
    Named{Dtype::uint8, "uint8", 1},       Named{Dtype::int16, "int16", 2},       Named{Dtype::uint16, "uint16", 2},
    Named{Dtype::bf16, "bf16", 2},         Named{Dtype::fp16, "fp16", 2},         Named{Dtype::int32, "int32", 4},
    Named{Dtype::uint32, "uint32", 4},     Named{Dtype::fp32, "fp32", 4},         Named{Dtype::fp32r, "fp32r", 4},
    Named{Dtype::int64, "int64", 8},       Named{Dtype::fp8_e3m4, "fp8_e3m4", 1}, Named{Dtype::fp8_e4m3, "fp8_e4m3", 1},
    Named{Dtype::fp8_e5m2, "fp8_e5m2", 1}, Named{Dtype::fp4_e2m1, "fp4_e2m1", 0}, Named{Dtype::fp8_e2m5, "fp8_e2m5", 1},
    Named{Dtype::int4, "int4", 0},         Named{Dtype::sfp8_e8, "sfp8_e8", 1},   Named{Dtype::sfp8_e7, "sfp8_e7", 1},
    Named{Dtype::sfp8_e6, "sfp8_e6", 1},   Named{Dtype::sfp8_e5, "sfp8_e5", 1},   Named{Dtype::cptc1, "cptc1", 0},
    Named{Dtype::cptc2, "cptc2", 0},       Named{Dtype::cptc3, "cptc3", 0},       Named{Dtype::cptc4, "cptc4", 0},
    Named{Dtype::cptc5, "cptc5", 0},       Named{Dtype::cptc6, "cptc6", 0},       Named{Dtype::cptc7, "cptc7", 0}};
// clang-format on

// By code: every word asks for several.
constexpr auto kStorage = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (const Named& entry : kDtypes) bytes[code(entry.code)] = entry.storage;
  return bytes;
}();

}  // namespace

std::string_view name(Dtype d) { return name_in(kDtypes, d); }

std::optional<Dtype> dtype_from_string(std::string_view text) { return code_in(kDtypes, text); }

Bytes storage_size(Dtype d) { return Bytes(kStorage[code(d)]); }

bool is_dtype_member(Dtype d, Generation generation) {
  const std::uint8_t c = code(d);
  const int version = core_version(generation);
  const bool transport = c >= code(Dtype::cptc1) && c <= code(Dtype::cptc7);
  if (c <= code(Dtype::fp8_e5m2)) return true;
  if (d == Dtype::fp4_e2m1 || transport) return version >= 4;
  return c <= code(Dtype::sfp8_e5) && version >= 5;
}

Bytes dtype_alignment(Dtype d, Generation generation) {
  if (code(d) <= code(Dtype::fp8_e5m2)) return storage_size(d);
  if (d == Dtype::fp4_e2m1 && core_version(generation) >= 4) return Bytes(1);
  return Bytes(0);
}

}  // namespace dve::isa
