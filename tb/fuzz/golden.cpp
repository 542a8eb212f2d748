#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dve_golden_dpi.h"
#include "handle.h"
#include "targets.h"

namespace dve::fuzz {
namespace golden_target {

constexpr std::size_t kMostCalls = 200;

// Takes bytes from the front; past the end there are zeros.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  void take(void* to, std::size_t count) {
    const std::size_t there = std::min(count, left_);
    std::memset(to, 0, count);
    if (there != 0) std::memcpy(to, data_, there);
    data_ += there;
    left_ -= there;
  }
  template <class Number>
  Number number() {
    Number value = 0;
    take(&value, sizeof value);
    return value;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

using Word = std::array<std::uint8_t, DVE_GOLDEN_WORD_BYTES>;

struct Destroy {
  void operator()(dve_golden* golden) const { dve_golden_destroy(golden); }
};
using Handle = std::unique_ptr<dve_golden, Destroy>;

// Reading a configuration costs more than everything else, and is another target.
const config::Config& settings_of(std::uint8_t choice) {
  static std::map<std::uint8_t, config::Config> known;
  const auto found = known.find(choice);
  if (found != known.end()) return found->second;
  const char* const generations[] = {"cayman", "sunda", "mariana", "maverick"};
  const std::vector<std::string> settings = {
      (choice & 4) != 0 ? "seq.legality=relaxed" : "seq.legality=strict",
      (choice & 8) != 0 ? "abstraction=functional" : "abstraction=lt",
      (choice & 16) != 0 ? "seq.fp_status=firmware" : "seq.fp_status=report",
      (choice & 32) != 0 ? "numerics.backprop_form=textbook" : "numerics.backprop_form=staged",
      (choice & 64) != 0 ? "numerics.accumulator=wide" : "numerics.accumulator=sequential"};
  return known.emplace(choice, config::load(generations[choice & 3], settings).config).first->second;
}

Handle create(std::uint8_t choice) {
  return Handle(new dve_golden(settings_of(choice), (choice & 128) != 0 ? 4096 : 0));
}

class Caller {
 public:
  Caller(const std::uint8_t* data, std::size_t size)
      : bytes_(data, size), golden_(create(bytes_.number<std::uint8_t>())) {}

  void run() {
    for (std::size_t k = 0; k < kMostCalls && !bytes_.empty(); ++k) call(bytes_.number<std::uint8_t>() % 16);
    findings();
  }

 private:
  dve_golden* g() { return golden_.get(); }
  int engine() { return bytes_.number<std::int8_t>() % 4; }
  Word word() {
    Word word;
    bytes_.take(word.data(), word.size());
    return word;
  }
  std::uint64_t address() { return bytes_.number<std::uint64_t>(); }

  // A call that fails says why; none is a bug of the library.
  void ended(int status) {
    const bool known = status >= DVE_GOLDEN_OK && status <= DVE_GOLDEN_NO_ELEMENTS;
    std::array<char, 512> text{};
    const std::size_t length = dve_golden_message(g(), text.data(), text.size());
    require(known, std::string("a status of the header: ") + dve_golden_status_name(status) + ": " + text.data());
    if (status == DVE_GOLDEN_OK || status == DVE_GOLDEN_DONE) return;
    require(length != 0 && std::strchr(text.data(), '\n') == nullptr, "a failure is told in one line");
    if (status == DVE_GOLDEN_FAULT && !checking_) require(dve_golden_finding_count(g()) != 0, "a fault is a finding");
  }

  void call(unsigned which) {
    switch (which) {
      case 0:
      case 1:
      case 2: {
        const int e = engine();
        return ended(dve_golden_execute(g(), e, word().data()));
      }
      case 3:
        return begin();
      case 4:
        return ended(dve_golden_step(g()));
      case 5:
        return element();
      case 6:
        return ended(dve_golden_finish(g()));
      case 7:
        return ended(dve_golden_reset(g()));
      case 8:
        return memory();
      case 9:
        return check();
      case 10:
        return text();
      case 11:
        return run_words();
      case 12:
        return synchronisation();
      case 13:
        return registers();
      case 14:
        return findings();
      default:
        return four_state();
    }
  }

  void begin() {
    std::uint64_t elements = 0;
    std::uint32_t channels = 0;
    const int e = engine();
    ended(dve_golden_begin(g(), e, word().data(), &elements, &channels));
    require(channels <= 128, "a word has 128 channels at most");
  }
  void element() {
    dve_golden_element e{};
    ended(dve_golden_element_of(g(), bytes_.number<std::uint8_t>(), &e));
  }
  void memory() {
    std::array<std::uint8_t, 32> data{};
    const std::uint64_t at = address();
    bytes_.take(data.data(), data.size());
    const int written = dve_golden_write(g(), at, data.data(), data.size());
    ended(written);
    std::array<std::uint8_t, 32> back{};
    const int read = dve_golden_read(g(), at, back.data(), back.size());
    ended(read);
    require(written == read, "what can be written can be read");
    require(read != DVE_GOLDEN_OK || back == data, "what was written is read");
    const std::uint64_t place = dve_golden_address(g(), bytes_.number<std::int8_t>(), bytes_.number<std::uint8_t>(),
                                                   bytes_.number<std::uint32_t>());
    if (place != UINT64_MAX) require(dve_golden_read(g(), place, back.data(), 1) == DVE_GOLDEN_OK, "an address is one");
  }
  void check() {
    checking_ = true;
    const int e = engine();
    ended(dve_golden_check(g(), e, word().data(), nullptr, 0));
    checking_ = false;
  }
  void text() {
    const Word bits = word();
    std::array<char, DVE_GOLDEN_TEXT_BYTES> line{};
    ended(dve_golden_disassemble(g(), bits.data(), line.data(), line.size()));
    Word back{};
    require(dve_golden_assemble(g(), line.data(), back.data()) == DVE_GOLDEN_OK, "a disassembled word assembles");
    require(back == bits, "to the same bytes");
  }
  void run_words() {
    std::vector<std::uint8_t> words;
    const std::size_t count = bytes_.number<std::uint8_t>() % 4;
    for (std::size_t k = 0; k < count; ++k) {
      const Word one = word();
      words.insert(words.end(), one.begin(), one.end());
    }
    std::size_t executed = 0;
    const int e = engine();
    ended(dve_golden_run(g(), e, words.data(), count, &executed));
    require(executed <= count, "no more words than there are");
  }
  void synchronisation() {
    const auto index = bytes_.number<std::uint16_t>() % 260U;
    ended(dve_golden_set_semaphore(g(), index, bytes_.number<std::int32_t>()));
    ended(dve_golden_set_event(g(), index, bytes_.number<std::uint8_t>() & 1));
    std::int32_t value = 0;
    int set = 0;
    ended(dve_golden_semaphore(g(), index, &value));
    ended(dve_golden_event(g(), index, &set));
  }
  void registers() {
    const int e = engine();
    const auto index = bytes_.number<std::uint8_t>() % 66U;
    const auto value = bytes_.number<std::uint32_t>();
    const int status = dve_golden_set_register(g(), e, index, value);
    ended(status);
    std::uint32_t back = 0;
    ended(dve_golden_register(g(), e, index, &back));
    require(status != DVE_GOLDEN_OK || back == value, "a register keeps its value");
    dve_golden_schedule s{};
    ended(dve_golden_schedule_of(g(), e, &s));
    require(s.start <= s.read_done && s.read_done <= s.complete && s.start <= s.next_issue, "moments in order");
    dve_golden_lane lane{};
    ended(dve_golden_lane_of(g(), index, &lane));
  }
  void findings() {
    const std::size_t count = dve_golden_finding_count(g());
    for (std::size_t k = 0; k < count; ++k) {
      dve_golden_finding f{};
      require(dve_golden_finding_at(g(), k, &f) == DVE_GOLDEN_OK, "a finding that counts can be read");
      require(*f.predicate != '\0' && *f.field != '\0' && *f.expected != '\0',
              "it names rule, field and what is allowed");
    }
  }
  // The same word with bits that are X or Z.
  void four_state() {
    std::array<svLogicVecVal, 16> vector{};
    std::array<svLogicVecVal, 1> which{};
    const Word bits = word();
    std::memcpy(&which[0].bval, bits.data(), 1);
    bool known = which[0].bval == 0;
    for (std::size_t k = 0; k < vector.size(); ++k) {
      std::memcpy(&vector[k].aval, bits.data() + 4 * k, 4);
      vector[k].bval = bytes_.number<std::uint8_t>();
      known = known && vector[k].bval == 0;
    }
    const int status = dve_dpi_execute(g(), which.data(), vector.data());
    ended(status);
    require(known || status == DVE_GOLDEN_BAD_ARGUMENT, "an X is an error");
  }

  Bytes bytes_;
  Handle golden_;
  bool checking_ = false;
};

}  // namespace golden_target

void golden(const std::uint8_t* data, std::size_t size) { golden_target::Caller(data, size).run(); }

}  // namespace dve::fuzz
