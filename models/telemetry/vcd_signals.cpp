#include "vcd_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace dve::telemetry {
namespace {

constexpr std::uint32_t kEngineOrders = 100, kPortOrder = 10;
constexpr std::uint32_t kBankOrder = 10'000, kSpaceOrders = 10'000, kSemaphoreOrder = 40'000, kUserOrder = 50'000;

std::uint32_t order_of(isa::Engine engine) { return kEngineOrders * static_cast<std::uint32_t>(isa::index_of(engine)); }
std::string scope_of(isa::Engine engine) { return std::string(isa::to_string(engine)); }

// Identifier codes: printable characters, shortest first (IEEE 1364).
std::string code_of(std::uint32_t signal) {
  constexpr std::uint32_t kFirst = 33, kCount = 94;
  std::string code;
  do {
    code += static_cast<char>(kFirst + signal % kCount);
    signal /= kCount;
  } while (signal-- != 0);
  return code;
}

// What a reader takes for one name.
std::string identifier(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

std::string binary(std::uint64_t bits, unsigned width) {
  if (width < 64) bits &= (std::uint64_t{1} << width) - 1;
  return fmt::format("{:b}", bits);
}

}  // namespace

std::uint32_t VcdSignals::find(std::uint32_t order, const std::string& scope, const std::string& name, unsigned width,
                               bool count, std::optional<std::int64_t> initial) {
  const auto [entry, fresh] = by_order_.try_emplace(order, static_cast<std::uint32_t>(signals_.size()));
  if (fresh) signals_.push_back({scope, name, width, count, order, initial});
  return entry->second;
}

std::uint32_t VcdSignals::opcode(isa::Engine engine) {
  return find(order_of(engine), scope_of(engine), "opcode", 8, false, std::nullopt);
}

std::uint32_t VcdSignals::word(isa::Engine engine) {
  return find(order_of(engine) + 1, scope_of(engine), "word", 32, false, std::nullopt);
}

std::uint32_t VcdSignals::in_flight(isa::Engine engine) {
  return find(order_of(engine) + 2, scope_of(engine), "in_flight", 8, true, 0);
}

std::uint32_t VcdSignals::port(isa::Engine engine, std::size_t port) {
  return find(order_of(engine) + kPortOrder + static_cast<std::uint32_t>(port), scope_of(engine),
              std::string(kPortNames[port]), 1, true, 0);
}

std::uint32_t VcdSignals::bank(isa::Space space, std::uint32_t bank) {
  return find(kBankOrder + kSpaceOrders * static_cast<std::uint32_t>(space) + bank, "banks",
              fmt::format("{}_{}", isa::to_string(space), bank), 8, true, 0);
}

std::uint32_t VcdSignals::semaphore(std::uint8_t index) {
  return find(kSemaphoreOrder + index, "semaphores", fmt::format("semaphore_{}", index), 32, false, 0);
}

std::uint32_t VcdSignals::user(const std::string& name) {
  const std::uint32_t index = users_.try_emplace(name, static_cast<std::uint32_t>(users_.size())).first->second;
  return find(kUserOrder + index, "transfers", identifier(name), 8, true, 0);
}

std::string VcdSignals::declarations() const {
  std::string text = "$scope module core $end\n", open;
  for (const auto& [order, index] : by_order_) {
    const VcdSignal& signal = signals_[index];
    if (signal.scope != open) {
      if (!open.empty()) text += "$upscope $end\n";
      text += "$scope module " + signal.scope + " $end\n";
      open = signal.scope;
    }
    const std::string range = signal.width == 1 ? "" : fmt::format(" [{}:0]", signal.width - 1);
    text += fmt::format("$var wire {} {} {}{} $end\n", signal.width, code_of(index), signal.name, range);
  }
  if (!open.empty()) text += "$upscope $end\n";
  return text + "$upscope $end\n$enddefinitions $end\n";
}

std::string VcdSignals::value_text(std::uint32_t index) const {
  const VcdSignal& signal = signals_[index];
  const std::string code = code_of(index);
  if (signal.width == 1) return fmt::format("{}{}\n", !signal.value ? 'x' : *signal.value != 0 ? '1' : '0', code);
  if (!signal.value) return fmt::format("bx {}\n", code);
  return fmt::format("b{} {}\n", binary(static_cast<std::uint64_t>(*signal.value), signal.width), code);
}

}  // namespace dve::telemetry
