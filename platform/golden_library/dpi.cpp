// The functions of dve_golden_dpi.h: 4-state vectors to numbers, then dve_golden.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "dpi_call.h"
#include "dve_golden_dpi.h"

namespace dve::golden_library {
namespace {

thread_local std::string create_error;

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

const char* tell(std::string text) {
  thread_local std::string told;
  told = std::move(text);
  return told.c_str();
}

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
