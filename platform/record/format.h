// The layout of a stimulus file, version 1 (docs/stimulus.md): 32-bit words, counted from 0.
#pragma once

#include <cstdint>

namespace dve::record {

inline constexpr std::uint32_t kMagic = 0x44564553;  // "DVES"
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kHeaderWords = 32;
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Index of each word of the header; the others are 0. `...At`: where a part begins.
enum Header : std::uint32_t {
  kMagicWord,
  kVersionWord,
  kFileWords,
  kHeaderSize,
  kStatus,
  kGeneration,  // isa::Generation: sunda 0, cayman 1, mariana 2, mariana_plus 3, maverick 4
  kEngine,      // isa::Engine: dve 0, pool 1, act 2
  kSwitches,    // one bit a switch, in the order of numerics::Switches
  kFp32rMantissa,
  kActErrorHigh,  // act_relative_error, a binary64
  kActErrorLow,
  kProgramAt,
  kProgramLength,  // in 64-byte words
  kExecuted,       // words that retired
  kStopWord,       // the word at which the run stopped, kNone when it ran to its end
  kEventsAt,       // table: where each event stands
  kEvents,
  kLanesAt,  // table: where each lane record stands
  kLanes,
  kInitialAt,  // table of regions
  kInitial,
  kFinalAt,
  kFinal,
  kMostChannels,  // of a lane record
  kMostElements,
  kHostWrites  // events that are writes of the host
};

// How the run ended.
enum class Status : std::uint32_t { ok, fault, deadlock, timeout, interrupted };

// An event: what one word, or one write of the host, put where.
//   kind, number, opcode, flags, lane record (or 0), writes, then kWriteWords for each write
enum class EventKind : std::uint32_t { word = 1, host_write = 2 };
inline constexpr std::uint32_t kEventWords = 6;
inline constexpr std::uint32_t kEventRetired = 1;  // flag; absent: the word wrote its results, then the run ended

// A write:
//   space, partition, channels, offset, dtype, bytes of an element, elements of a channel,
//   four dimensions (step << 16 | count; a first count of 0: the elements follow each other), where the bytes stand,
//   words of a channel
inline constexpr std::uint32_t kWriteWords = 13;

// A region of memory: space, partition, offset, bytes, where they stand
inline constexpr std::uint32_t kRegionWords = 5;

// Where bytes lie. Of `address`, partition and offset are the high and the low half of a router address.
enum class SpaceCode : std::uint32_t { sbuf, psum, address, parameter_ram };

// A lane record:
//   operation, channels, elements, first lane, flags, parameters of a channel, where they, x, dy and the expected
//   values stand, expected values of a channel
enum class LaneOperation : std::uint32_t { grad_accumulate = 1, param_load = 2, back_prop = 3 };
inline constexpr std::uint32_t kLaneWords = 11;
// Flags: what a lane needs to know of the numerics switches.
inline constexpr std::uint32_t kLaneDstInterpreter = 1;
inline constexpr std::uint32_t kLaneProductInterpreter = 2;
inline constexpr std::uint32_t kLaneTextbook = 4;
inline constexpr std::uint32_t kLaneNormalisedSource = 8;
inline constexpr std::uint32_t kLaneWideAccumulator = 16;

}  // namespace dve::record
