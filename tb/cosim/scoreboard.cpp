#include "scoreboard.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/golden.h"

namespace dve::cosim {

namespace {

constexpr const char* kSums[] = {"d_beta", "d_gamma", "coupling"};

class Comparison {
 public:
  Comparison(const LaneWord& word, const LaneResults& golden, const WordRun& run, const LaneShape& shape,
             std::uint64_t number)
      : word_(word), golden_(golden), run_(run), shape_(shape), turns_(turns_of(word.channels(), shape)) {
    title_ = fmt::format("word {} ({}): ", number, word.text());
  }

  std::optional<Difference> first() {
    if (word_.operation == LaneOperation::grad_accum) compare_trace();
    const std::size_t expected = result_beats(word_, shape_);
    for (std::size_t i = 0; i < std::min(expected, run_.results.size()); ++i) compare_beat(i, i + 1 == expected);
    count("result beats", expected, run_.results.size());
    return found_;
  }

 private:
  void compare_trace() {
    const std::size_t expected = turns_ * word_.elements();
    for (std::size_t i = 0; i < std::min(expected, run_.trace.size()); ++i) {
      const std::size_t element = i / turns_;
      if (run_.trace[i].turn != i % turns_) {
        note(DifferenceKind::turn, 0, element,
             fmt::format("running sums {}: expected those of turn {}, got turn {}", i, i % turns_, run_.trace[i].turn));
      }
      for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
        const std::size_t channel = i % turns_ * shape_.lanes + lane;
        if (channel < word_.channels()) compare_running(channel, element, run_.trace[i].sums[lane]);
      }
    }
    count("running sums", expected, run_.trace.size());
  }

  void compare_running(std::size_t channel, std::size_t element, const std::array<std::uint32_t, 3>& got) {
    for (std::size_t k = 0; k < 3; ++k) {
      value(DifferenceKind::running_sum, channel, element, fmt::format("element {}, running sum {}", element, kSums[k]),
            golden::bits_of_float(golden_.running[channel][element][k]), got[k]);
    }
  }

  void compare_beat(std::size_t i, bool last) {
    const bool sums = word_.operation == LaneOperation::grad_accum;
    const std::size_t turn = sums ? i / 3 : i % turns_;
    const ResultBeat& beat = run_.results[i];
    for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
      const std::size_t channel = turn * shape_.lanes + lane;
      const bool kept = (beat.keep >> lane & 1) != 0;
      if (kept != (channel < word_.channels())) {
        note(DifferenceKind::keep, channel, 0,
             fmt::format("result beat {}: channel {} is {}kept", i, channel, kept ? "" : "not "));
      }
      if (channel >= word_.channels()) {
        value(DifferenceKind::keep, channel, 0, "lane without a channel", 0, beat.values[lane]);
      } else if (sums) {
        value(DifferenceKind::sum, channel, 0, fmt::format("sum {}", sum_name(i % 3)),
              golden::bits_of_float(golden_.sums[channel][i % 3]), beat.values[lane]);
      } else {
        const std::size_t element = i / turns_;
        value(DifferenceKind::dx, channel, element, fmt::format("element {}, dx", element),
              golden::bits_of_float(golden_.dx[channel][element]), beat.values[lane]);
      }
    }
    if (beat.last != last) {
      note(DifferenceKind::last, 0, 0, fmt::format("result beat {}: last is {}, expected {}", i, beat.last, last));
    }
  }

  const char* sum_name(std::size_t position) const {
    return kSums[word_.dst_interpreter && position != 0 ? 3 - position : position];
  }

  void count(const char* what, std::size_t expected, std::size_t got) {
    if (got == expected) return;
    note(got < expected ? DifferenceKind::missing_beat : DifferenceKind::extra_beat, 0, 0,
         fmt::format("{} {}, expected {}", got, what, expected));
  }

  void value(DifferenceKind kind, std::size_t channel, std::size_t element, const std::string& what,
             std::uint32_t expected, std::uint32_t got) {
    if (expected == got) return;
    note({kind,
          fmt::format("channel {}, {}: expected {:.9g} (0x{:08X}), got {:.9g} (0x{:08X})", channel, what,
                      golden::float_of_bits(expected), expected, golden::float_of_bits(got), got),
          channel, element, expected, got});
  }

  void note(DifferenceKind kind, std::size_t channel, std::size_t element, const std::string& text) {
    note({kind, text, channel, element});
  }

  void note(const Difference& difference) {
    if (found_) return;
    found_ = difference;
    found_->text = title_ + difference.text;
  }

  const LaneWord& word_;
  const LaneResults& golden_;
  const WordRun& run_;
  const LaneShape& shape_;
  std::size_t turns_;
  std::string title_;
  std::optional<Difference> found_;
};

}  // namespace

std::optional<Difference> compare(const LaneWord& word, const LaneResults& golden, const WordRun& run,
                                  const LaneShape& shape, std::uint64_t number) {
  return Comparison(word, golden, run, shape, number).first();
}

}  // namespace dve::cosim
