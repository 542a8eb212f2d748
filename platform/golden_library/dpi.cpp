// The functions of dve_golden_dpi.h: 4-state vectors to numbers, then dve_golden.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "dpi_vectors.h"
#include "dve_golden_dpi.h"
#include "handle.h"

namespace dve::golden_library {
namespace {

// What this thread was last told.
thread_local std::string told;
thread_local std::string create_error;

const char* tell(std::string text) {
  told = std::move(text);
  return told.c_str();
}

dve_golden* handle_of(void* golden) { return static_cast<dve_golden*>(golden); }

// Takes the arguments apart, then calls. A Refusal of the first becomes the handle's message.
template <class Take, class Call>
int with(void* golden, Take&& take, Call&& call) noexcept {
  const dve_golden_status taken = guarded(handle_of(golden), [&](GoldenCore&) {
    take();
    return DVE_GOLDEN_OK;
  });
  if (taken != DVE_GOLDEN_OK) return taken;
  try {
    return call(handle_of(golden));
  } catch (...) {
    return DVE_GOLDEN_INTERNAL;
  }
}

// An engine and a word.
template <class Call>
int with_word(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word, Call&& call) noexcept {
  int which = 0;
  Data bytes{};
  return with(
      golden,
      [&] {
        which = static_cast<int>(number32(engine, "engine"));
        bytes = data_of(word, kDataBytes, "word");
      },
      [&](dve_golden* g) { return call(g, which, bytes.data()); });
}

struct Argument {
  const svLogicVecVal* vector;
  const char* name;
};

// One, two or three numbers of 32 bits.
template <class Call>
int with_numbers(void* golden, std::initializer_list<Argument> arguments, Call&& call) noexcept {
  std::uint32_t n[3] = {};
  return with(
      golden,
      [&] {
        std::size_t k = 0;
        for (const Argument& argument : arguments) n[k++] = number32(argument.vector, argument.name);
      },
      [&](dve_golden* g) { return call(g, n); });
}

std::string finding_text(const dve_golden_finding& f) {
  constexpr const char* engines[] = {"dve", "pool", "act"};
  return fmt::format("{} word {} (opcode {:#04x}): {}: {} at byte {} is {} ({:#x}), expected {}", engines[f.engine],
                     f.word, f.opcode, f.predicate, f.field, f.byte, f.value, f.value, f.expected);
}

std::string float_text(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return fmt::format("{} ({:08x})", value, bits);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace
}  // namespace dve::golden_library

using namespace dve::golden_library;

extern "C" {

// ---- The handle ----

void* dve_dpi_create(const char* config, const char* settings, const svLogicVecVal* host_bytes) {
  try {
    const std::uint64_t bytes = number64(host_bytes, "host_bytes");
    const std::vector<std::string> lines = lines_of(settings == nullptr ? "" : settings);
    std::vector<const char*> texts;
    for (const std::string& line : lines) texts.push_back(line.c_str());
    std::array<char, 1024> error{};
    const bool chosen = config != nullptr && *config != '\0';
    dve_golden* const handle =
        dve_golden_create(chosen ? config : nullptr, texts.data(), texts.size(), bytes, error.data(), error.size());
    create_error = error.data();
    return handle;
  } catch (const Refusal& refusal) {
    create_error = refusal.message;
  } catch (...) {
    create_error.clear();
  }
  return nullptr;
}

void dve_dpi_destroy(void* golden) { dve_golden_destroy(handle_of(golden)); }

int dve_dpi_reset(void* golden) { return dve_golden_reset(handle_of(golden)); }

const char* dve_dpi_message(void* golden) {
  if (golden == nullptr) return create_error.c_str();
  return tell(answered(handle_of(golden), std::string(), [&](GoldenCore&) { return handle_of(golden)->message; }));
}

const char* dve_dpi_status_name(int status) { return dve_golden_status_name(status); }

// ---- Memories ----

int dve_dpi_address(void* golden, const svLogicVecVal* memory, const svLogicVecVal* partition,
                    const svLogicVecVal* offset, svBitVecVal* address) {
  std::uint32_t space = 0, first = 0;
  std::uint64_t distance = 0;
  return with(
      golden,
      [&] {
        space = number32(memory, "memory");
        first = number32(partition, "partition");
        distance = number64(offset, "offset");
      },
      [&](dve_golden* g) {
        const std::uint64_t place = dve_golden_address(g, static_cast<int>(space), first, distance);
        put64(address, {place});
        if (place != UINT64_MAX) return DVE_GOLDEN_OK;
        return guarded(g, [&](GoldenCore&) -> dve_golden_status {
          throw Refusal{DVE_GOLDEN_BAD_ADDRESS,
                        fmt::format("memory {}, partition {}, offset {:#x} does not exist", space, first, distance)};
        });
      });
}

int dve_dpi_write(void* golden, const svLogicVecVal* address, const svLogicVecVal* bytes, const svLogicVecVal* data) {
  std::uint64_t at = 0;
  std::size_t count = 0;
  Data values{};
  return with(
      golden,
      [&] {
        at = number64(address, "address");
        count = byte_count(bytes);
        values = data_of(data, count, "data");
      },
      [&](dve_golden* g) { return dve_golden_write(g, at, values.data(), count); });
}

int dve_dpi_read(void* golden, const svLogicVecVal* address, const svLogicVecVal* bytes, svBitVecVal* data) {
  std::uint64_t at = 0;
  std::size_t count = 0;
  return with(
      golden,
      [&] {
        at = number64(address, "address");
        count = byte_count(bytes);
      },
      [&](dve_golden* g) {
        Data values{};
        const dve_golden_status status = dve_golden_read(g, at, values.data(), count);
        put_data(data, values);
        return status;
      });
}

// ---- Words ----

int dve_dpi_execute(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word) {
  return with_word(golden, engine, word, dve_golden_execute);
}

int dve_dpi_check(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word, const char** text) {
  if (text != nullptr) *text = "";
  return with_word(golden, engine, word, [&](dve_golden* g, int which, const std::uint8_t* bytes) {
    std::array<char, 8192> lines{};
    const dve_golden_status status = dve_golden_check(g, which, bytes, lines.data(), lines.size());
    if (text != nullptr) *text = tell(lines.data());
    return status;
  });
}

int dve_dpi_assemble(void* golden, const char* text, svBitVecVal* word) {
  Data bytes{};
  const dve_golden_status status = dve_golden_assemble(handle_of(golden), text, bytes.data());
  put_data(word, bytes);
  return status;
}

int dve_dpi_disassemble(void* golden, const svLogicVecVal* word, const char** text) {
  if (text != nullptr) *text = "";
  Data bytes{};
  return with(
      golden, [&] { bytes = data_of(word, kDataBytes, "word"); },
      [&](dve_golden* g) {
        std::array<char, DVE_GOLDEN_TEXT_BYTES> line{};
        const dve_golden_status status = dve_golden_disassemble(g, bytes.data(), line.data(), line.size());
        if (text != nullptr) *text = tell(line.data());
        return status;
      });
}

int dve_dpi_begin(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word, svBitVecVal* elements,
                  svBitVecVal* channels) {
  put64(elements, {0});
  put32(channels, 0);
  return with_word(golden, engine, word, [&](dve_golden* g, int which, const std::uint8_t* bytes) {
    std::uint64_t count = 0;
    std::uint32_t width = 0;
    const dve_golden_status status = dve_golden_begin(g, which, bytes, &count, &width);
    put64(elements, {count});
    put32(channels, width);
    return status;
  });
}

int dve_dpi_step(void* golden) { return dve_golden_step(handle_of(golden)); }

int dve_dpi_element_of(void* golden, const svLogicVecVal* channel, svBitVecVal* element, svBitVecVal* values) {
  return with_numbers(golden, {{channel, "channel"}}, [&](dve_golden* g, const std::uint32_t* n) {
    dve_golden_element e{};
    const dve_golden_status status = dve_golden_element_of(g, n[0], &e);
    put64(element, {e.element});
    put_floats(values, {e.x, e.dy, e.xn, e.t, e.tv, e.sums[0], e.sums[1], e.sums[2], e.dx});
    return status;
  });
}

int dve_dpi_finish(void* golden) { return dve_golden_finish(handle_of(golden)); }

// ---- What can be asked ----

int dve_dpi_finding_count(void* golden) { return static_cast<int>(dve_golden_finding_count(handle_of(golden))); }

int dve_dpi_finding_at(void* golden, const svLogicVecVal* index, int* fault, const char** text) {
  if (fault != nullptr) *fault = 0;
  if (text != nullptr) *text = "";
  return with_numbers(golden, {{index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    dve_golden_finding finding{};
    const dve_golden_status status = dve_golden_finding_at(g, n[0], &finding);
    if (status != DVE_GOLDEN_OK) return status;
    if (fault != nullptr) *fault = finding.fault;
    if (text != nullptr) *text = tell(finding_text(finding));
    return status;
  });
}

int dve_dpi_lane(void* golden, const svLogicVecVal* lane, int* loaded, svBitVecVal* flops) {
  return with_numbers(golden, {{lane, "lane"}}, [&](dve_golden* g, const std::uint32_t* n) {
    dve_golden_lane f{};
    const dve_golden_status status = dve_golden_lane_of(g, n[0], &f);
    if (loaded != nullptr) *loaded = f.loaded;
    put_floats(flops, {f.element_count, f.mean, f.a, f.b, f.c, f.inv_std});
    return status;
  });
}

int dve_dpi_semaphore(void* golden, const svLogicVecVal* index, int* value) {
  return with_numbers(golden, {{index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    std::int32_t found = 0;
    const dve_golden_status status = dve_golden_semaphore(g, n[0], &found);
    if (value != nullptr) *value = found;
    return status;
  });
}

int dve_dpi_set_semaphore(void* golden, const svLogicVecVal* index, const svLogicVecVal* value) {
  return with_numbers(golden, {{index, "index"}, {value, "value"}}, [](dve_golden* g, const std::uint32_t* n) {
    return dve_golden_set_semaphore(g, n[0], static_cast<std::int32_t>(n[1]));
  });
}

int dve_dpi_event(void* golden, const svLogicVecVal* index, int* value) {
  return with_numbers(golden, {{index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    int found = 0;
    const dve_golden_status status = dve_golden_event(g, n[0], &found);
    if (value != nullptr) *value = found;
    return status;
  });
}

int dve_dpi_set_event(void* golden, const svLogicVecVal* index, const svLogicVecVal* value) {
  return with_numbers(golden, {{index, "index"}, {value, "value"}}, [](dve_golden* g, const std::uint32_t* n) {
    return dve_golden_set_event(g, n[0], n[1] != 0 ? 1 : 0);
  });
}

int dve_dpi_register(void* golden, const svLogicVecVal* engine, const svLogicVecVal* index, svBitVecVal* value) {
  return with_numbers(golden, {{engine, "engine"}, {index, "index"}}, [&](dve_golden* g, const std::uint32_t* n) {
    std::uint32_t found = 0;
    const dve_golden_status status = dve_golden_register(g, static_cast<int>(n[0]), n[1], &found);
    put32(value, found);
    return status;
  });
}

int dve_dpi_set_register(void* golden, const svLogicVecVal* engine, const svLogicVecVal* index,
                         const svLogicVecVal* value) {
  return with_numbers(golden, {{engine, "engine"}, {index, "index"}, {value, "value"}},
                      [](dve_golden* g, const std::uint32_t* n) {
                        return dve_golden_set_register(g, static_cast<int>(n[0]), n[1], n[2]);
                      });
}

int dve_dpi_schedule(void* golden, const svLogicVecVal* engine, svBitVecVal* cycles) {
  return with_numbers(golden, {{engine, "engine"}}, [&](dve_golden* g, const std::uint32_t* n) {
    dve_golden_schedule s{};
    const dve_golden_status status = dve_golden_schedule_of(g, static_cast<int>(n[0]), &s);
    put64(cycles, {s.start, s.read_done, s.complete, s.next_issue, s.stream});
    return status;
  });
}

int dve_dpi_same(const svLogicVecVal* actual, const svLogicVecVal* expected, const char** text) {
  const auto say = [text](std::string line) {
    if (text != nullptr) *text = tell(std::move(line));
  };
  try {
    const std::uint32_t a = number32(actual, "actual"), e = number32(expected, "expected");
    say(fmt::format("{}, expected {}", float_text(a), float_text(e)));
    return a == e ? 1 : 0;
  } catch (const Refusal& refusal) {
    say(refusal.message);
  } catch (...) {
    if (text != nullptr) *text = "internal error";
  }
  return -1;
}

}  // extern "C"
