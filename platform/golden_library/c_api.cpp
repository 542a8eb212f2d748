// The functions of dve_golden.h over GoldenCore.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "arguments.h"
#include "dve/assembly/assembly.h"

namespace dve::golden_library {
namespace {

std::size_t copy_text(const std::string& from, char* text, std::size_t bytes) {
  if (text != nullptr && bytes != 0) {
    const std::size_t kept = std::min(from.size(), bytes - 1);
    std::memcpy(text, from.data(), kept);
    text[kept] = '\0';
  }
  return from.size();
}

isa::Word word_of(const std::uint8_t* bytes) {
  need(bytes, "word");
  isa::Word word;
  std::memcpy(word.bytes.data(), bytes, word.bytes.size());
  return word;
}

void need_no_open_word(const GoldenCore& core) {
  if (core.open())
    throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, "a word is open: dve_golden_finish or dve_golden_reset comes first"};
}

void need_open_word(const GoldenCore& core) {
  if (!core.open()) throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, "no word is open: dve_golden_begin comes first"};
}

// The end of a call that executes.
dve_golden_status ended(const GoldenCore& core, isa::Engine engine, Progress progress) {
  if (progress == Progress::done) return DVE_GOLDEN_OK;
  if (progress == Progress::waiting)
    throw Refusal{DVE_GOLDEN_WAITING,
                  fmt::format("{}: the word's wait condition does not hold, and no executed word will make it hold",
                              isa::to_string(engine))};
  const auto& findings = core.findings();
  const auto last = std::find_if(findings.rbegin(), findings.rend(),
                                 [&](const PlacedFinding& f) { return f.fault && f.engine == engine; });
  throw Refusal{DVE_GOLDEN_FAULT, last == findings.rend()
                                      ? std::string("the engine has stopped")
                                      : fmt::format("{} word {} ({}): {}", isa::to_string(engine), last->word,
                                                    isa::opcode_name(last->opcode), isa::to_string(last->finding))};
}

std::uint64_t address_in(GoldenCore& core, int memory, std::uint32_t partition, std::uint64_t offset) {
  if (memory != DVE_GOLDEN_SBUF && memory != DVE_GOLDEN_PSUM) return std::numeric_limits<std::uint64_t>::max();
  const PartitionBytes* const bytes =
      core.memories().partitions(memory == DVE_GOLDEN_SBUF ? isa::Space::sbuf : isa::Space::psum);
  if (bytes == nullptr || partition >= isa::kPartitions || offset >= bytes->geometry().active_per_partition.value)
    return std::numeric_limits<std::uint64_t>::max();
  return bytes->geometry().base + partition * bytes->geometry().partition_stride.value + offset;
}

dve_golden_status transferred(bool moved, std::uint64_t address, std::size_t bytes) {
  if (moved) return DVE_GOLDEN_OK;
  throw Refusal{DVE_GOLDEN_BAD_ADDRESS,
                fmt::format("address {:#x}: {} bytes from there on do not exist in one partition or memory (the "
                            "Parameter-RAM: in whole entries of four bytes)",
                            address, bytes)};
}

isa::Word assembled(const char* text, isa::Generation generation) {
  const assembly::Assembled result = assembly::assemble(text, generation);
  if (!result.errors.empty())
    throw Refusal{DVE_GOLDEN_BAD_ARGUMENT,
                  fmt::format("text, column {}: {}", result.errors[0].column, result.errors[0].message)};
  if (result.words.size() != 1)
    throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, fmt::format("text holds {} words, expected one", result.words.size())};
  return result.words[0].word;
}

void fill(const ElementValues& v, std::uint64_t element, bool back_prop, dve_golden_element& out) {
  out = {};
  out.element = element;
  out.x = v.x;
  out.dy = v.dy;
  out.xn = back_prop ? v.back.centred : v.grad.product;
  out.t = back_prop ? v.back.scaled : v.grad.t;
  out.tv = back_prop ? v.back.correction : v.grad.coupling_term;
  out.sums[0] = v.sums.d_beta;
  out.sums[1] = v.sums.d_gamma;
  out.sums[2] = v.sums.coupling;
  out.dx = v.back.dx;
}

}  // namespace
}  // namespace dve::golden_library

using namespace dve;
using namespace dve::golden_library;

extern "C" {

uint32_t dve_golden_version(void) { return DVE_GOLDEN_VERSION; }

const char* dve_golden_status_name(int status) {
  switch (status) {
    case DVE_GOLDEN_OK:
      return "ok";
    case DVE_GOLDEN_DONE:
      return "done";
    case DVE_GOLDEN_WAITING:
      return "waiting";
    case DVE_GOLDEN_FAULT:
      return "fault";
    case DVE_GOLDEN_BAD_ARGUMENT:
      return "bad argument";
    case DVE_GOLDEN_BAD_ADDRESS:
      return "bad address";
    case DVE_GOLDEN_NO_ELEMENTS:
      return "no elements";
    case DVE_GOLDEN_INTERNAL:
      return "internal error";
    default:
      return "unknown status";
  }
}

dve_golden* dve_golden_create(const char* config, const char* const* settings, size_t count, uint64_t host_bytes,
                              char* error, size_t error_bytes) {
  try {
    const numerics::FloatingPointDefaults arithmetic;  // numbers of a configuration file are read in it
    std::vector<std::string> sets;
    for (std::size_t k = 0; k < count; ++k) {
      if (settings == nullptr || settings[k] == nullptr) {
        copy_text(fmt::format("settings[{}] is a null pointer", k), error, error_bytes);
        return nullptr;
      }
      sets.emplace_back(settings[k]);
    }
    return new dve_golden(config::load(config == nullptr ? "" : config, sets).config, host_bytes);
  } catch (const std::exception& problem) {
    copy_text(problem.what(), error, error_bytes);
  } catch (...) {
    copy_text("internal error", error, error_bytes);
  }
  return nullptr;
}

void dve_golden_destroy(dve_golden* handle) { delete handle; }

dve_golden_status dve_golden_reset(dve_golden* handle) {
  return guarded(handle, [](GoldenCore& core) {
    core.reset();
    return DVE_GOLDEN_OK;
  });
}

size_t dve_golden_message(dve_golden* handle, char* text, size_t bytes) {
  if (handle == nullptr) return copy_text("the handle is a null pointer", text, bytes);
  return answered(handle, std::size_t{0}, [&](GoldenCore&) { return copy_text(handle->message, text, bytes); });
}

uint64_t dve_golden_address(dve_golden* handle, int memory, uint32_t partition, uint64_t offset) {
  return answered(handle, std::numeric_limits<std::uint64_t>::max(),
                  [&](GoldenCore& core) { return address_in(core, memory, partition, offset); });
}

dve_golden_status dve_golden_read(dve_golden* handle, uint64_t address, void* data, size_t bytes) {
  return guarded(handle, [&](GoldenCore& core) {
    if (bytes != 0) need(data, "data");
    return transferred(core.memories().read(address, static_cast<std::uint8_t*>(data), bytes), address, bytes);
  });
}

dve_golden_status dve_golden_write(dve_golden* handle, uint64_t address, const void* data, size_t bytes) {
  return guarded(handle, [&](GoldenCore& core) {
    if (bytes != 0) need(data, "data");
    return transferred(core.memories().write(address, static_cast<const std::uint8_t*>(data), bytes), address, bytes);
  });
}

dve_golden_status dve_golden_execute(dve_golden* handle, int engine, const uint8_t* word) {
  return guarded(handle, [&](GoldenCore& core) {
    const isa::Engine e = engine_of(engine);
    const isa::Word bits = word_of(word);
    need_no_open_word(core);
    return ended(core, e, core.execute(e, bits));
  });
}

dve_golden_status dve_golden_run(dve_golden* handle, int engine, const uint8_t* words, size_t count, size_t* executed) {
  if (executed != nullptr) *executed = 0;
  return guarded(handle, [&](GoldenCore& core) {
    const isa::Engine e = engine_of(engine);
    if (count != 0) need(words, "words");
    need_no_open_word(core);
    for (std::size_t k = 0; k < count; ++k) {
      const auto status = ended(core, e, core.execute(e, word_of(words + k * isa::kWordBytes)));
      if (executed != nullptr) *executed = k + 1;
      if (core.halted(e)) return status;
    }
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_check(dve_golden* handle, int engine, const uint8_t* word, char* text, size_t bytes) {
  return guarded(handle, [&](GoldenCore& core) {
    const isa::Engine e = engine_of(engine);
    const std::vector<isa::Finding> findings = core.check(e, word_of(word));
    std::string lines;
    for (const isa::Finding& finding : findings) lines += isa::to_string(finding) + '\n';
    copy_text(lines, text, bytes);
    if (findings.empty()) return DVE_GOLDEN_OK;
    throw Refusal{DVE_GOLDEN_FAULT, isa::to_string(findings[0])};
  });
}

dve_golden_status dve_golden_assemble(dve_golden* handle, const char* text, uint8_t* word) {
  return guarded(handle, [&](GoldenCore& core) {
    need(text, "text");
    need(word, "word");
    const isa::Word bits = assembled(text, core.settings().generation);
    std::memcpy(word, bits.bytes.data(), bits.bytes.size());
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_disassemble(dve_golden* handle, const uint8_t* word, char* text, size_t bytes) {
  return guarded(handle, [&](GoldenCore& core) {
    need(text, "text");
    const std::string line = assembly::disassemble(word_of(word), core.settings().generation);
    if (copy_text(line, text, bytes) < bytes) return DVE_GOLDEN_OK;
    throw Refusal{DVE_GOLDEN_BAD_ARGUMENT,
                  fmt::format("bytes is {}, expected room for {} with the end", bytes, line.size() + 1)};
  });
}

dve_golden_status dve_golden_begin(dve_golden* handle, int engine, const uint8_t* word, uint64_t* elements,
                                   uint32_t* channels) {
  return guarded(handle, [&](GoldenCore& core) {
    const isa::Engine e = engine_of(engine);
    const isa::Word bits = word_of(word);
    need_no_open_word(core);
    const auto opcode = isa::opcode_from_byte(bits.opcode_byte());
    if (!opcode || !execute::is_lane_word(*opcode))
      throw Refusal{
          DVE_GOLDEN_NO_ELEMENTS,
          fmt::format("opcode {:#04x} ({}) has no elements to step through, expected GradAccum (0x63, 0x94) or "
                      "BackProp (0x65)",
                      bits.opcode_byte(), isa::opcode_name(bits.opcode_byte()))};
    const auto status = ended(core, e, core.begin(e, bits));
    if (elements != nullptr) *elements = core.steps().elements();
    if (channels != nullptr) *channels = core.steps().channels();
    return status;
  });
}

dve_golden_status dve_golden_step(dve_golden* handle) {
  return guarded(handle, [](GoldenCore& core) {
    need_open_word(core);
    return core.steps().step() ? DVE_GOLDEN_OK : DVE_GOLDEN_DONE;
  });
}

dve_golden_status dve_golden_element_of(dve_golden* handle, uint32_t channel, dve_golden_element* element) {
  return guarded(handle, [&](GoldenCore& core) {
    need(element, "element");
    need_open_word(core);
    if (core.steps().stepped() == 0)
      throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, "no element yet: dve_golden_step comes first"};
    need_below(channel, core.steps().channels(), "channel");
    fill(core.steps().values(channel), core.steps().stepped() - 1, core.steps().back_prop(), *element);
    return DVE_GOLDEN_OK;
  });
}

dve_golden_status dve_golden_finish(dve_golden* handle) {
  return guarded(handle, [](GoldenCore& core) {
    need_open_word(core);
    const isa::Engine e = core.open_engine();
    return ended(core, e, core.finish());
  });
}

}  // extern "C"
