#include "firmware_image.h"

namespace dve::firmware {
namespace {

using isa::Bytes;

// GA introduction (DEBUG offsets, sizes, hashes), BP introduction (hashes, lines), GA 3.5 (size of the PERF data
// image).
constexpr Image kDebugIram = {"DVE_DEBUG_IRAM", 0x16F660, Bytes(0x1BCC0), "259769ff", 44989};
constexpr Image kDebugDram = {"DVE_DEBUG_DRAM", 0x18B320, Bytes(0x6D60), "c106642d", 0};
constexpr Image kPerfIram = {"DVE_PERF_IRAM", std::nullopt, std::nullopt, "9fa066f4", 35342};
constexpr Image kPerfDram = {"DVE_PERF_DRAM", std::nullopt, Bytes(0x2FC0), "eb980f98", 0};

constexpr auto kNone = std::nullopt;

// Ascending by opcode. Fields in the order of FirmwareRow.
// clang-format off
constexpr std::array kRows = {
    // TensorTensorArith: word BP 3.1; name BP 7, the family's, given once for 0x41 and 0x51.
    FirmwareRow{0x41, 0x31E6, kNone, kNone, kNone, SelfName{"S: Tensor-Tensor", 0x2060, kNone}, kNone, kNone, kNone},
    // TensorTensorBitvec: as 0x41.
    FirmwareRow{0x51, 0x31EE, kNone, kNone, kNone, SelfName{"S: Tensor-Tensor", 0x2060, kNone}, kNone, kNone, kNone},
    // Stats2: frame BP 3.4; name, the family's, BP 2.1; PERF word GA 3.5.
    FirmwareRow{0x61, kNone, kNone, kNone, HandlerBody{kNone, kNone, Bytes(96)},
                SelfName{"S: BatchNormalize", 0x2261, kNone}, kNone, kNone, 0x835A},
    // GradAccum: GA introduction (name), 3 (chain), 3.1 (descriptor), 3.3 and 6 (body), 3.5 (PERF).
    FirmwareRow{0x63, 0x309E, {{0xE5, 0xF0, 0xFE, 0x46, 0x5B, 0x00}}, 0x1FAC, HandlerBody{0xB518, Bytes(68), Bytes(48)},
                SelfName{"S: BatchNormalizeGradAccum", 0x22A0, 0x18D5C0},
                Descriptor{0x2290, {{0x00000003, 0x78000000, 0xFFCFBFA6, 0x0F421061}}}, kNone, kDeprecatedCluster},
    // ParamLoad: word BP 3.1; thunk BP 3.2; body BP 10; frame GA 3.2 (every v1 handler but Stats2); name BP 2.1; PERF
    // GA 3.5.
    FirmwareRow{0x64, 0x30B6, kNone, 0x2000, HandlerBody{0xB62C, kNone, Bytes(48)},
                SelfName{"S: BatchNormalizeParamLoad", 0x22F0, kNone}, kNone, kNone, kDeprecatedCluster},
    // BackProp: BP 2.1 (name), 3.1 to 3.3 (chain), 3.4 (body, descriptor), 3.5 (PERF).
    FirmwareRow{0x65, 0x30AE, {{0x65, 0xF3, 0xFE, 0x46, 0x57, 0x00}}, 0x1FE4, HandlerBody{0xB6F0, kNone, Bytes(32)},
                SelfName{"S: BatchNormalizeBackProp", 0x2350, kNone}, Descriptor{0x2370, kNone}, kNone,
                kDeprecatedCluster},
    // LoadParameterRam: last word of the dump in BP 3.1.
    FirmwareRow{0x66, 0x30E6, kNone, kNone, kNone, kNone, kNone, kNone, kNone},
    // CopyPredicated: BP 7.
    FirmwareRow{0x72, kNone, kNone, kNone, kNone, SelfName{"S: CopyPredicated", 0x2900, kNone}, kNone, kNone, kNone},
    // ParamLoad2: chain BP 3.2; body BP 10; name BP 2.1. Frame left open: BP 3.4 gives 48 to every handler but Stats2,
    // which GA 3.2 narrows to the v1 handlers.
    FirmwareRow{0x8E, 0x30BE, kNone, 0x201C, HandlerBody{0xB694, kNone, kNone},
                SelfName{"S: BatchNormalizeParamLoad2", 0x230C, kNone}, kNone, kNone, kNone},
    // GradAccum2: GA introduction (name), 3 (chain), 3.1 (descriptor), 3.4 and 6 (body, fetches), 3.5 (PERF: no
    // address).
    FirmwareRow{0x94, 0x30A6, {{0x25, 0xF2, 0xFE, 0x46, 0x59, 0x00}}, 0x1FC8,
                HandlerBody{0xB55C, Bytes(208), Bytes(64)}, SelfName{"S: BatchNormalizeGradAccum2", 0x22BC, 0x18D5DC},
                Descriptor{0x22E0, {{0x00000003, 0x78000000, 0xFFC00026, 0x0F421061}}},
                PointerFetch{0xB5E4, 0xB608, Bytes(48)}, 0x000C},
    // CastPredicated: BP 7.
    FirmwareRow{0x99, kNone, kNone, kNone, kNone, SelfName{"S: CastPredicated", 0x2913, kNone}, kNone, kNone, kNone},
    // Move: BP 3.4.
    FirmwareRow{0xA7, kNone, kNone, kNone, kNone, SelfName{"S: MOVE", 0x23B0, kNone}, kNone, kNone, kNone}};
// clang-format on

}  // namespace

const Image& instruction_image(Build build) { return build == Build::debug ? kDebugIram : kPerfIram; }

const Image& data_image(Build build) { return build == Build::debug ? kDebugDram : kPerfDram; }

const FirmwareRow* firmware_row(std::uint8_t opcode) {
  for (const FirmwareRow& row : kRows) {
    if (row.opcode == opcode) return &row;
  }
  return nullptr;
}

std::optional<std::uint32_t> dispatch_word(std::uint8_t opcode, Build build) {
  const FirmwareRow* row = firmware_row(opcode);
  if (row == nullptr) return std::nullopt;
  return build == Build::debug ? row->trampoline : row->perf_word;
}

bool in_deprecated_cluster(std::uint8_t opcode) { return dispatch_word(opcode, Build::perf) == kDeprecatedCluster; }

}  // namespace dve::firmware
