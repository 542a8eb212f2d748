// The DVE's firmware images, DEBUG and PERF build, as far as the two seed pages read them: the GradAccum page
// (seeds/gradaccum.txt, "GA" below) and the BackProp page (seeds/backprop.txt, "BP"). Constant data and lookup; nothing
// here is executed. A datum that neither page gives is an empty optional.
//
// Addresses: instruction addresses are offsets in the IRAM image, which equal device addresses; data addresses are
// offsets in the DRAM image, and the device sees them kDramBase higher (BP introduction).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dve/isa/isa.h"

namespace dve::firmware {

// The two builds that the pages read.
enum class Build : std::uint8_t {
  debug,  // logs each handler's self-name
  perf    // no log (GA 3.5); 0x63 to 0x65 lead to one shared handler, rows past index 0x40 are not trustworthy
};

// An image as carved out of the firmware library.
struct Image {
  std::string_view name;
  std::optional<std::uint32_t> so_offset;  // where it starts in the library, bytes
  std::optional<isa::Bytes> size;
  std::string_view sha256_prefix;   // first 8 hex digits
  std::uint32_t disassembly_lines;  // 0 for data images
};
const Image& instruction_image(Build build);
const Image& data_image(Build build);

// First bytes of the DEBUG instruction image: a jump to kResetTarget (BP introduction).
inline constexpr std::array<std::uint8_t, 4> kResetVector = {0x06, 0x76, 0x00, 0x00};
inline constexpr std::uint32_t kResetTarget = 0x1DC;

// The dispatch table: one little-endian word of 4 bytes an opcode, at kTableOffset in both builds' data image (GA 3,
// 3.5; BP 3). First opcode 0x41; 178 rows, 0x41 to 0xF2 (isa.md 13.2).
inline constexpr std::uint32_t kDramBase = 0x80000;
inline constexpr std::uint32_t kTableOffset = 0x814;
inline constexpr std::uint32_t kTableAddress = kDramBase + kTableOffset;
inline constexpr std::uint32_t kDispatchRows = 178;

// Row of an opcode. Opcodes without a row, below 0x41 or above 0xF2, give an index of kDispatchRows or more, so one
// unsigned compare bounds both ends.
constexpr std::uint32_t dispatch_index(std::uint8_t opcode) { return std::uint32_t{opcode} - 0x41U; }
// Offset of the opcode's word in the data image; empty for an opcode without a row.
constexpr std::optional<std::uint32_t> row_offset(std::uint8_t opcode) {
  if (dispatch_index(opcode) >= kDispatchRows) return std::nullopt;
  return kTableOffset + 4 * dispatch_index(opcode);
}

// The way of a dispatched word, DEBUG build (GA 3, BP 3.2, 3.3): the table's word is the address of a trampoline, which
// calls a thunk; the thunk stores the body's address in its frame at kBodyInThunkFrame and calls kHandlerRegister; then
// the trampoline jumps to kHandlerInvoke, which is a jump to kHandlerExecute. The body logs its self-name first, by
// kSelfNameLog.
inline constexpr std::uint32_t kHandlerInvoke = 0x3212;
inline constexpr std::uint32_t kHandlerExecute = 0x2E87;
inline constexpr std::uint32_t kHandlerRegister = 0x951C;
inline constexpr std::uint32_t kSelfNameLog = 0x18010;
inline constexpr std::uint32_t kBodyInThunkFrame = 12;  // bytes
inline constexpr isa::Bytes kThunkFrame{48};
// Distance of neighbouring thunks (BP 3.2).
inline constexpr std::uint32_t kThunkStride = 0x1C;

// A handler's code. `frame` is the stack frame that its entry instruction opens.
struct HandlerBody {
  std::optional<std::uint32_t> address;
  std::optional<isa::Bytes> size;
  std::optional<isa::Bytes> frame;
};

// What the DEBUG build logs when the handler runs, without the line end that follows in the image.
struct SelfName {
  std::string_view text;
  std::uint32_t address;                   // in the data image
  std::optional<std::uint32_t> so_offset;  // in the firmware library
};

// Record of the data image that the body stages before it computes. Word 0 of both that the pages print is 3: the
// number of destination elements of GradAccum (GA 3.1).
struct Descriptor {
  std::uint32_t address;  // in the data image
  std::optional<std::array<std::uint32_t, 4>> words;
};

// Subroutines that take an immediate's pointer from a register, for GradAccum2 (GA 3.4).
struct PointerFetch {
  std::uint32_t imm0;
  std::uint32_t imm1;
  isa::Bytes frame;  // of each
};

// All that the pages give about one opcode's row.
struct FirmwareRow {
  std::uint8_t opcode;
  std::optional<std::uint32_t> trampoline;                      // DEBUG table's word
  std::optional<std::array<std::uint8_t, 6>> trampoline_bytes;  // the call and the jump
  std::optional<std::uint32_t> thunk;                           // DEBUG
  std::optional<HandlerBody> body;                              // DEBUG
  std::optional<SelfName> self_name;                            // DEBUG
  std::optional<Descriptor> descriptor;                         // DEBUG
  std::optional<PointerFetch> pointer_fetch;                    // DEBUG
  std::optional<std::uint32_t> perf_word;                       // PERF table's word
};

// The row, or nullptr when neither page says anything of it.
const FirmwareRow* firmware_row(std::uint8_t opcode);

// The table's word in a build, where a page gives it.
std::optional<std::uint32_t> dispatch_word(std::uint8_t opcode, Build build);

// PERF build: address that the rows of the deprecated 0x63, 0x64 and 0x65 share, and whether a row is one of them (GA
// 3.5).
inline constexpr std::uint32_t kDeprecatedCluster = 0x9090;
bool in_deprecated_cluster(std::uint8_t opcode);

// PERF build: past this index the table lies over the string pool of assertions, so its words are no addresses (GA
// 3.5).
inline constexpr std::uint32_t kLastTrustedPerfIndex = 0x40;
constexpr bool is_trusted_row(std::uint8_t opcode, Build build) {
  return build == Build::debug || dispatch_index(opcode) <= kLastTrustedPerfIndex;
}

}  // namespace dve::firmware
