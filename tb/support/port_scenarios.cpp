// The generated scenarios.
#include "support/port_scenarios.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <random>
#include <utility>

#include "support/port_jobs.h"

namespace dve::scenarios {
namespace {

using namespace dve::contention;

constexpr std::array<const char*, 9> kFamilies = {"sbuf",   "psum",  "throttled", "bursty", "dma",
                                                  "shared", "ranks", "five",      "short"};
// About how long each user is busy without contention, in memory cycles.
constexpr std::uint64_t kBusyCycles = 30'000, kBusyCyclesShort = 5'000;

// The same numbers with every library: the distributions of <random> are not specified to the bit.
class Dice {
 public:
  Dice(std::uint64_t seed, std::size_t index, std::size_t salt)
      : bits_(seed * 0x9E3779B97F4A7C15 + index * 31 + salt) {}
  std::uint64_t in(std::uint64_t from, std::uint64_t to) { return from + bits_() % (to - from + 1); }
  bool once_in(std::uint64_t n) { return in(1, n) == 1; }
  template <class T>
  T of(std::initializer_list<T> list) {
    return list.begin()[in(0, list.size() - 1)];
  }
  std::uint64_t log_uniform(std::uint64_t from, std::uint64_t to) {
    const double share = static_cast<double>(bits_() >> 11) * 0x1p-53;
    const double low = std::log2(static_cast<double>(from)), high = std::log2(static_cast<double>(to) + 1);
    return std::min(to, static_cast<std::uint64_t>(std::exp2(low + share * (high - low))));
  }

 private:
  std::mt19937_64 bits_;
};

// How long the job takes without contention.
std::uint64_t cycles(const Job& job) {
  const auto pace = static_cast<std::uint64_t>(job.pace.cycle * job.denominator + job.pace.fraction);
  const std::uint64_t gaps = job.burst_steps == 0 ? 0 : job.steps / job.burst_steps * job.burst_gap;
  return job.steps * pace / static_cast<std::uint64_t>(job.denominator) + gaps + 1;
}

class Generator {
 public:
  Generator(std::uint64_t seed, std::size_t index, std::string family, std::uint64_t shortest)
      : dice_(seed, index, shortest),
        shortest_(family == "short" ? 16 : shortest),
        longest_(family == "short" ? 256 : 8192) {
    s_.name = family + "_" + std::to_string(seed) + "_" + std::to_string(index);
    s_.family = std::move(family);
    banks_ = dice_.of<std::uint32_t>({1, 1, 2});
  }
  Scenario scenario() {
    choose_parameters();
    if (s_.family == "dma") {
      double_buffered();
    } else {
      for (const User user : users()) add_user(user);
    }
    return std::move(s_);
  }

 private:
  bool is(const char* family) const { return s_.family == family; }
  std::uint64_t length() { return dice_.log_uniform(shortest_, longest_); }
  Area in_sbuf() { return {isa::Space::sbuf, 0, banks_, dice_.in(0, banks_ * std::uint64_t{2048} - 1)}; }
  Area in_psum() { return {isa::Space::psum, 0, banks_, dice_.in(0, banks_ * std::uint64_t{256} - 1)}; }

  void choose_parameters();
  std::vector<User> users();
  void add_user(User user);
  Job make(User user, std::uint64_t beats);
  Job dve(std::uint64_t beats);
  Job streams(User user, Pace pace, std::uint64_t beats);
  void double_buffered();

  Dice dice_;
  std::uint64_t shortest_, longest_;
  std::uint32_t banks_ = 1;
  Scenario s_;
};

void Generator::choose_parameters() {
  Parameters& p = s_.parameters;
  if (is("shared")) p.sbuf_shared = dice_.of({SharedPort::hold, SharedPort::hold, SharedPort::rotate});
  for (const User user : {User::dve, User::pool, User::act, User::pe0, User::dma0}) {
    UserParameters& own = p.users[index_of(user)];
    if (is("ranks")) {
      own.priority = dice_.once_in(3) ? static_cast<std::uint32_t>(dice_.in(1, 7)) : 0;
      own.weight = dice_.once_in(2) ? static_cast<std::uint32_t>(dice_.in(2, 8)) : 1;
    }
    if (is("throttled") && dice_.once_in(2)) {
      const std::uint32_t window = dice_.of<std::uint32_t>({16, 32, 64});
      const auto tokens = [&] { return static_cast<std::uint32_t>(dice_.in(window * 3 / 10, window * 8 / 10)); };
      own.read = {window, tokens()};
      own.write = {window, tokens()};
    }
  }
  if (is("ranks")) {
    p.pe_priority = static_cast<std::uint32_t>(dice_.in(0, 1));
    p.pe_weight = static_cast<std::uint32_t>(dice_.in(1, 4));
  }
}

std::vector<User> Generator::users() {
  if (is("five")) return {User::dve, User::pool, User::act, User::pe0, User::dma0};
  if (is("psum"))
    return dice_.once_in(2) ? std::vector{User::dve, User::act, User::pe0} : std::vector{User::act, User::pe0};
  if (is("shared"))
    return dice_.once_in(2) ? std::vector{User::dve, User::pool, User::act} : std::vector{User::dve, User::pool};
  std::vector<User> all = {User::act, User::pool, User::pe0, User::dma0};
  const std::uint64_t others = dice_.of<std::uint64_t>({1, 2, 2, 3, 3});
  while (all.size() > others) all.erase(all.begin() + static_cast<std::ptrdiff_t>(dice_.in(0, all.size() - 1)));
  all.push_back(User::dve);
  return all;
}

// Jobs one after the other, until the user has been busy for long enough; the last one is cut to fit.
void Generator::add_user(User user) {
  PortUser added;
  added.user = user;
  const std::uint64_t enough = is("short") ? kBusyCyclesShort : kBusyCycles;
  for (std::uint64_t busy = 0; busy + 70 < enough;) {
    Job j = make(user, length());
    if (busy + cycles(j) > enough)
      j = make(user, std::max<std::uint64_t>(shortest_, j.steps * (enough - busy) / cycles(j)));
    busy += cycles(j) + 70;
    added.jobs.push_back({std::move(j), added.jobs.empty() ? static_cast<std::int64_t>(dice_.in(0, 200)) : 70, {}});
  }
  s_.users.push_back(std::move(added));
}

Job Generator::make(User user, std::uint64_t beats) {
  Job j;
  if (user == User::dve) {
    j = dve(beats);
  } else if (is_dma(user)) {
    j = job(user, kDma, beats, {});
    if (dice_.once_in(2))
      j.streams = {read(s_.parameters, in_sbuf(), beats)};
    else
      j.streams = {write(s_.parameters, in_sbuf(), beats)};
  } else if (is_pe(user)) {
    j = job(user, dice_.of({kFull, kFull, kFp32}), beats, {});
    if (is("psum"))
      j.streams = {write(s_.parameters, in_psum(), beats)};
    else
      j.streams = {read(s_.parameters, in_sbuf(), beats)};
  } else {
    j = streams(user, dice_.of({kFull, kFull, kFull, kFp32, kBf16}), beats);
  }
  if (is("bursty") && !dice_.once_in(3)) j = bursts(std::move(j), dice_.in(64, 512), dice_.in(16, 128));
  return j;
}

Job Generator::dve(std::uint64_t beats) {
  const bool two = is("shared") ? !dice_.once_in(4) : dice_.once_in(3);
  if (!two) return streams(User::dve, dice_.of({kDveOneSource, kDveCopy, kDveCopy}), beats);
  Job j = job(User::dve, is("shared") ? dice_.of({kDveTwoSources, kDveOneSource, kDveCopy}) : kDveTwoSources, beats,
              {read(s_.parameters, in_sbuf(), beats), second(s_.parameters, in_sbuf(), beats)});
  if (is("psum")) j.streams[0] = read(s_.parameters, in_psum(), beats);
  if (dice_.once_in(4))
    j.streams.push_back(write(s_.parameters, in_sbuf(), 1, beats));
  else
    j.streams.push_back(write(s_.parameters, in_sbuf(), beats));
  return j;
}

// One source, one result: as long as the source, or a reduction's few beats.
Job Generator::streams(User user, Pace pace, std::uint64_t beats) {
  const Area from = is("psum") && !dice_.once_in(4) ? in_psum() : in_sbuf();
  Job j = job(user, pace, beats, {read(s_.parameters, from, beats)});
  if (dice_.once_in(5))
    j.streams.push_back(write(s_.parameters, in_sbuf(), 3, beats));
  else
    j.streams.push_back(write(s_.parameters, in_sbuf(), beats));
  return j;
}

// Load, work, store, each tile through one of two buffers; loads and stores of several engines' worth of bandwidth.
void Generator::double_buffered() {
  const Pace load = dice_.of<Pace>({kDma, {7, 3}, {4, 3}, kFull});
  PortUser loads, works, stores;
  loads.user = User::dma0;
  works.user = User::dve;
  stores.user = dma_engine(1);
  std::uint64_t busy = 0;
  for (std::size_t k = 0; busy < kBusyCycles; ++k) {
    const std::uint64_t n = length();
    busy += n * 2;
    loads.jobs.push_back({job(User::dma0, load, n, {write(s_.parameters, in_sbuf(), n)}), 20, {}});
    works.jobs.push_back({dve(n), 70, {{0, k}}});
    stores.jobs.push_back({job(stores.user, load, n, {read(s_.parameters, in_sbuf(), n)}), 20, {{1, k}}});
    if (k < 2) continue;
    loads.jobs[k].after.push_back({1, k - 2});
    works.jobs[k].after.push_back({2, k - 2});
  }
  s_.users = {std::move(loads), std::move(works), std::move(stores)};
  if (!dice_.once_in(4)) add_user(User::act);
}

}  // namespace

Scenario generated_scenario(std::uint64_t seed, std::size_t index) {
  return Generator(seed, index, kFamilies[index % kFamilies.size()], 16).scenario();
}

std::vector<Scenario> generated(std::uint64_t seed) {
  std::vector<Scenario> all;
  for (std::size_t k = 0; k < kGenerated; ++k) all.push_back(generated_scenario(seed, k));
  return all;
}

std::vector<Scenario> generated_long(std::uint64_t seed, const std::string& family, std::size_t count) {
  std::vector<Scenario> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(Generator(seed, k, family, kLongBeats).scenario());
  return all;
}

std::uint64_t beats(const Scenario& scenario) {
  std::uint64_t sum = 0;
  for (const PortUser& user : scenario.users) {
    for (const PlannedJob& planned : user.jobs) {
      for (const StreamJob& stream : planned.job.streams) sum += stream.beats;
    }
  }
  return sum;
}

}  // namespace dve::scenarios
