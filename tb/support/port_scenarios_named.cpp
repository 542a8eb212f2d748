// The named scenarios: what two to five users do to each other at the ports.
#include <stdexcept>
#include <utility>

#include "support/port_jobs.h"
#include "support/port_scenarios.h"

namespace dve::scenarios {
namespace {

using namespace dve::contention;

using Jobs = std::vector<Job>;
using Users = std::vector<Jobs>;  // of one user each

const Parameters kPlain;

PortUser plan(const Jobs& jobs, std::int64_t gap) {
  PortUser user;
  user.user = jobs.at(0).user;
  for (const Job& j : jobs) user.jobs.push_back({j, user.jobs.empty() ? 0 : gap, {}});
  return user;
}

class List {
 public:
  explicit List(std::string family) : family_(std::move(family)) {}
  Scenario& add(std::string name, const Users& users, const Parameters& p = kPlain, std::int64_t gap = 70) {
    Scenario s{std::move(name), family_, p, {}};
    for (const Jobs& jobs : users) s.users.push_back(plan(jobs, gap));
    all_.push_back(std::move(s));
    return all_.back();
  }
  void move_to(std::vector<Scenario>& all) {
    for (Scenario& s : all_) all.push_back(std::move(s));
  }

 private:
  std::string family_;
  std::vector<Scenario> all_;
};

// Reads from one place and writes to another, a beat of each a step.
Job through(User user, Pace pace, Area from, Area to, std::uint64_t beats) {
  return job(user, pace, beats, {read(kPlain, from, beats), write(kPlain, to, beats)});
}
Job reads(User user, Pace pace, Area from, std::uint64_t beats) {
  return job(user, pace, beats, {read(kPlain, from, beats)});
}
Job writes(User user, Pace pace, Area to, std::uint64_t beats) {
  return job(user, pace, beats, {write(kPlain, to, beats)});
}
Job combines(User user, Pace pace, Area a, Area b, Area to, std::uint64_t beats) {
  return job(user, pace, beats, {read(kPlain, a, beats), second(kPlain, b, beats), write(kPlain, to, beats)});
}
// Bn statistics: a stream read, six numbers (3 beats) written at the end.
Job statistics(Pace pace, Area from, Area to, std::uint64_t beats) {
  return job(User::dve, pace, beats, {read(kPlain, from, beats), write(kPlain, to, 3, beats)});
}
Jobs times(std::size_t n, const Job& job) { return Jobs(n, job); }

void sbuf_scenarios(std::vector<Scenario>& all) {
  List l("sbuf");
  const auto dve = User::dve, act = User::act, pe = User::pe0, pool = User::pool;
  l.add("sbuf_copy_and_activation_in_one_bank", {{through(dve, kDveCopy, sbuf(0), sbuf(0, 1000), 900)},
                                                 {through(act, kFull, sbuf(0, 100), sbuf(0, 1100), 900)}});
  l.add("sbuf_copy_and_activation_in_different_banks",
        {{through(dve, kDveCopy, sbuf(0), sbuf(1), 900)}, {through(act, kFull, sbuf(2), sbuf(3), 900)}});
  l.add("sbuf_two_sources_in_one_bank_do_not_compete",
        {{combines(dve, kDveTwoSources, sbuf(0), sbuf(0, 600), sbuf(0, 1200), 600)}});
  l.add("sbuf_two_readers_at_full_rate_halve", {{reads(act, kFull, sbuf(0), 2000)}, {reads(pe, kFull, sbuf(0), 2000)}});
  l.add("sbuf_three_readers_at_full_rate",
        {{reads(act, kFull, sbuf(0), 1500)}, {reads(pe, kFull, sbuf(0), 1500)}, {reads(dve, kDveCopy, sbuf(0), 1500)}});
  l.add("sbuf_reader_against_writer", {{reads(pe, kFull, sbuf(3), 2048)}, {writes(act, kFull, sbuf(3), 2048)}});
  l.add("sbuf_two_writers", {{writes(dve, kDveCopy, sbuf(3), 2048)}, {writes(act, kFull, sbuf(3), 2048)}});
  l.add("sbuf_streams_chase_each_other_through_the_banks",
        {{reads(act, kFull, sbuf(0), 8192)}, {reads(pe, kFull, sbuf(0, 64), 8192)}});
  l.add("sbuf_streams_cross_in_one_bank",
        {{reads(act, kFull, sbuf(0, 1024), 4096)}, {reads(pe, kFp32, sbuf(1, 1536), 4096)}});
  l.add("sbuf_slow_two_source_stream_beside_a_fast_one",
        {{combines(dve, kDveTwoSources, sbuf(0), sbuf(1), sbuf(2), 1000)}, {reads(act, kFull, sbuf(0), 2048)}});
  l.add("sbuf_lockstep_waits_for_its_slowest_stream",
        {{combines(dve, kDveCopy, sbuf(0), sbuf(1), sbuf(2), 1800)}, {reads(pe, kFull, sbuf(1), 2048)}});
  l.add("sbuf_statistics_beside_activation", {times(3, statistics(kDveOneSource, sbuf(0), sbuf(0, 2000), 1024)),
                                              times(3, through(act, kFull, sbuf(0), sbuf(0, 1024), 1024))});
  l.add("sbuf_demand_just_fits", {{reads(act, kFp32, sbuf(0), 1500)}, {reads(pe, kFp32, sbuf(0), 1500)}});
  l.add("sbuf_demand_one_beat_in_four_too_much",
        {{reads(act, kFp32, sbuf(0), 2000)}, {reads(dve, kDveCopy, sbuf(0), 2000)}});
  l.add("sbuf_written_backlog_drains_after_the_last_step",
        {{job(dve, kDveCopy, 500, {read(kPlain, sbuf(1), 500), write(kPlain, sbuf(0), 8, 500)})},
         {reads(act, kFull, sbuf(0), 2000)}});
  l.add("sbuf_pool_and_activation_at_full_rate",
        {{through(pool, kFull, sbuf(0), sbuf(1), 2000)}, {through(act, kFull, sbuf(1), sbuf(0), 2000)}});
  l.move_to(all);
}

void psum_scenarios(std::vector<Scenario>& all) {
  List l("psum");
  const auto dve = User::dve, act = User::act, pe = User::pe1;
  l.add("psum_accumulator_read_while_it_is_written",
        {{writes(pe, kFull, psum(0), 256)}, {through(act, kFull, psum(0), sbuf(0), 256)}});
  l.add("psum_engines_read_different_banks",
        {{through(dve, kDveCopy, psum(0), sbuf(0), 256)}, {through(act, kFull, psum(1), sbuf(1), 256)}});
  l.add("psum_engines_read_one_bank", {times(4, through(dve, kDveCopy, psum(2), sbuf(0), 256)),
                                       times(4, through(act, kFull, psum(2), sbuf(1), 256))});
  l.add("psum_three_users_in_two_banks",
        {times(4, writes(pe, kFull, psum(0), 512)), times(4, reads(act, kFull, psum(0), 512)),
         times(4, reads(dve, kDveCopy, psum(1), 256))});
  l.add("psum_whole_memory_drained_behind_the_tensor_engine",
        {{writes(pe, kFull, psum(0), 2048)}, {through(act, kFull, psum(0), sbuf(0), 2048)}});
  l.add("psum_one_source_and_one_destination",
        {times(2, combines(dve, kDveOneSource, psum(0), sbuf(0), psum(1), 256)),
         times(4, writes(pe, kFull, psum(1), 256)), times(4, reads(act, kFull, psum(0), 256))});
  Parameters trn1;
  trn1.psum_shared = SharedPort::exclusive;
  l.add("psum_exclusive_in_different_banks",
        {times(3, through(dve, kDveCopy, psum(0), sbuf(0), 256)), times(3, through(act, kFull, psum(4), sbuf(1), 256))},
        trn1);
  l.add("psum_exclusive_waits_for_the_end_of_the_job",
        {times(2, reads(dve, kDveOneSource, psum(0), 700)),
         times(2, reads(act, kFp32, psum(0), 700)),
         {writes(pe, kFull, psum(0), 2048)}},
        trn1);
  l.move_to(all);
}

void shared_path_scenarios(std::vector<Scenario>& all) {
  List l("shared");
  const auto dve = User::dve, act = User::act, pool = User::pool;
  const auto second_source = [&](std::uint64_t beats) {
    return combines(dve, kDveCopy, sbuf(0), sbuf(1), sbuf(2), beats);
  };
  const auto policy = [](SharedPort port) {
    Parameters p;
    p.sbuf_shared = port;
    return p;
  };
  const struct {
    const char* name;
    SharedPort port;
  } kPolicies[] = {{"none", SharedPort::none},
                   {"hold", SharedPort::hold},
                   {"rotate", SharedPort::rotate},
                   {"exclusive", SharedPort::exclusive}};
  for (const auto& [name, port] : kPolicies) {
    const std::string s = std::string("_") + name;
    l.add("shared_second_read_and_pool_read" + s, {{second_source(2000)}, {reads(pool, kFull, sbuf(5), 2000)}},
          policy(port));
    l.add("shared_both_writes" + s,
          {{through(dve, kDveCopy, sbuf(0), sbuf(1), 2000)}, {through(pool, kFull, sbuf(4), sbuf(5), 2000)}},
          policy(port));
    l.add("shared_path_holder_loses_its_bank_to_act" + s,
          {{second_source(1500)}, {reads(pool, kFull, sbuf(5), 1500)}, {reads(act, kFull, sbuf(5), 2000)}},
          policy(port));
  }
  l.add("shared_first_read_does_not_use_the_path",
        {{reads(dve, kDveCopy, sbuf(0), 1500)}, {reads(pool, kFull, sbuf(1), 1500)}});
  l.move_to(all);
}

void dma_scenarios(std::vector<Scenario>& all) {
  List l("dma");
  const auto dve = User::dve, act = User::act, pe = User::pe2;
  const auto wheel = [](TdmPolicy policy, std::uint32_t dma_slots) {
    Parameters p;
    p.tdm.policy = policy;
    p.tdm.dma_slots = dma_slots;
    return p;
  };
  const auto fill = [](std::size_t engine, Pace pace) { return writes(dma_engine(engine), pace, sbuf(0), 2000); };
  l.add("dma_has_one_slot_in_eight", {{fill(0, kFull)}, {reads(act, kFull, sbuf(0), 2000)}});
  l.add("dma_alone_uses_every_slot", {{fill(0, kFull)}});
  l.add("dma_with_half_of_the_slots", {{fill(0, kFull)}, {reads(act, kFull, sbuf(0), 2000)}},
        wheel(TdmPolicy::work_conserving, 4));
  l.add("dma_without_a_wheel", {{fill(0, kFull)}, {reads(act, kFull, sbuf(0), 2000)}}, wheel(TdmPolicy::none, 1));
  l.add("dma_alone_on_a_strict_wheel", {{writes(dma_engine(0), kDma, sbuf(0), 500)}}, wheel(TdmPolicy::strict, 1));
  l.add("dma_and_compute_on_a_strict_wheel",
        {{writes(dma_engine(0), kFull, sbuf(0), 300)}, {reads(pe, kFull, sbuf(0), 2048)}}, wheel(TdmPolicy::strict, 2));
  l.add("dma_four_engines_share_the_dma_slots",
        {{fill(0, kDma)}, {fill(1, kDma)}, {fill(2, kDma)}, {fill(3, kDma)}, {reads(act, kFull, sbuf(0), 2048)}});
  l.add("dma_engines_among_themselves", {{fill(0, kFull)}, {fill(7, kFull)}, {fill(15, kFull)}});
  l.add("dma_store_beside_two_computing_engines",
        {times(2, reads(dma_engine(4), kDma, sbuf(0), 1024)),
         times(3, combines(dve, kDveTwoSources, sbuf(0), sbuf(0, 700), sbuf(1), 500)),
         times(4, reads(act, kFull, sbuf(0), 2048))});
  l.move_to(all);
}

// Tiles come in by DMA, are worked on, and go out again, each through one of two buffers.
Scenario& layer(List& l, const std::string& name, Pace load, const Job& work, std::size_t tiles, std::uint64_t beats,
                const Parameters& p = kPlain) {
  const auto in = [](std::size_t k) { return sbuf(0, k % 2 * 1024); };
  Jobs loads, works, stores;
  for (std::size_t k = 0; k < tiles; ++k) {
    loads.push_back(writes(User::dma0, load, in(k), beats));
    works.push_back(work);
    stores.push_back(reads(dma_engine(1), load, sbuf(0, 512), beats));
  }
  Scenario& s = l.add(name, {loads, works, stores}, p, 20);
  for (std::size_t k = 0; k < tiles; ++k) {
    if (k >= 2) s.users[0].jobs[k].after = {{1, k - 2}};
    s.users[1].jobs[k].after = {{0, k}};
    if (k >= 2) s.users[1].jobs[k].after.push_back({2, k - 2});
    s.users[2].jobs[k].after = {{1, k}};
  }
  return s;
}

void layer_scenarios(std::vector<Scenario>& all) {
  List l("layer");
  const Job normalise = through(User::dve, kDveOneSource, sbuf(0), sbuf(0, 512), 512);
  const Job copy = through(User::dve, kDveCopy, sbuf(0), sbuf(0, 512), 512);
  layer(l, "layer_double_buffered_dve_bound", kDma, normalise, 8, 512);
  layer(l, "layer_double_buffered_dma_bound", kDma, copy, 8, 512);
  layer(l, "layer_double_buffered_fast_dma", kFull, copy, 8, 512);
  layer(l, "layer_double_buffered_statistics", kDma, statistics(kDveOneSource, sbuf(0), sbuf(1), 512), 8, 512);
  layer(l, "layer_double_buffered_two_sources", kFull,
        combines(User::dve, kDveTwoSources, sbuf(0), sbuf(0, 512), sbuf(1), 512), 8, 512);
  Scenario& busy = layer(l, "layer_double_buffered_beside_activation", kFull, copy, 8, 512);
  busy.users.push_back(plan(times(6, through(User::act, kFull, sbuf(0), sbuf(0, 1024), 1000)), 70));
  Scenario& matmul = layer(l, "layer_double_buffered_beside_tensor_engine", kFull, copy, 8, 512);
  matmul.users.push_back(plan(times(4, reads(User::pe0, kFull, sbuf(0), 2048)), 64));
  l.move_to(all);
}

void rank_scenarios(std::vector<Scenario>& all) {
  List l("ranks");
  const auto dve = User::dve, act = User::act, pool = User::pool;
  const auto full = [](User user) { return reads(user, kFull, sbuf(0), 2000); };
  const auto with = [](User user, std::uint32_t priority, std::uint32_t weight) {
    Parameters p;
    p.users[index_of(user)].priority = priority;
    p.users[index_of(user)].weight = weight;
    return p;
  };
  l.add("priority_starves_the_other", {{full(act)}, {full(pool)}}, with(pool, 7, 1));
  l.add("priority_of_a_slow_stream_costs_the_other_little", {{reads(dve, kDveTwoSources, sbuf(0), 400)}, {full(act)}},
        with(dve, 3, 1));
  l.add("priority_does_not_cross_the_wheel", {{full(act)}, {writes(User::dma0, kFull, sbuf(0), 1000)}},
        with(act, 7, 1));
  l.add("weight_two_to_one", {{full(act)}, {full(pool)}}, with(act, 0, 2));
  l.add("weight_fifteen_to_one", {{full(act)}, {full(pool)}}, with(pool, 0, 15));
  l.add("weight_ends_when_the_user_pauses", {{reads(dve, kDveOneSource, sbuf(0), 800)}, {full(act)}}, with(dve, 0, 8));
  l.add("weight_of_a_dma_engine",
        {{writes(User::dma0, kFull, sbuf(0), 500)}, {writes(dma_engine(1), kFull, sbuf(0), 500)}, {full(act)}},
        with(User::dma0, 0, 3));
  l.add("tensor_engine_clients_have_one_turn", {{full(User::pe0)}, {full(User::pe1)}, {full(User::pe4)}, {full(act)}});
  Parameters pe = with(User::pe2, 5, 1);
  pe.users[index_of(User::pe0)].weight = 4;
  pe.pe_weight = 3;
  l.add("tensor_engine_priority_and_weight_of_clients",
        {{full(User::pe0)}, {full(User::pe1)}, {reads(User::pe2, kBf16, sbuf(0), 800)}, {full(act)}}, pe);
  Parameters first;
  first.pe_priority = 1;
  l.add("tensor_engine_comes_first_at_reset", {{full(User::pe0)}, {full(act)}, {reads(dve, kDveCopy, sbuf(0), 1500)}},
        first);
  l.move_to(all);
}

void throttle_scenarios(std::vector<Scenario>& all) {
  List l("throttled");
  const auto dve = User::dve, act = User::act, pe = User::pe0;
  const auto full = [](User user) { return reads(user, kFull, sbuf(0), 2000); };
  const auto limit = [](User user, ThrottleParameters read, ThrottleParameters write) {
    Parameters p;
    p.users[index_of(user)].read = read;
    p.users[index_of(user)].write = write;
    return p;
  };
  l.add("throttled_reader_leaves_room", {{full(act)}, {full(pe)}}, limit(act, {16, 4}, {}));
  l.add("throttled_window_no_multiple_of_the_wheel", {{full(act)}, {full(pe)}}, limit(act, {43, 30}, {}));
  l.add("throttled_writer_fills_its_buffer", {{through(dve, kDveCopy, sbuf(0), sbuf(0, 1000), 1000)}, {full(pe)}},
        limit(dve, {}, {32, 8}));
  l.add("throttled_two_streams_share_the_tokens",
        {{combines(dve, kDveOneSource, sbuf(0), sbuf(1), sbuf(2), 900)}, {full(act)}}, limit(dve, {24, 13}, {}));
  l.add("throttled_alone", {{full(act)}}, limit(act, {10, 5}, {}));
  l.add("throttled_wide_window", {{full(act)}, {full(pe)}}, limit(pe, {100, 20}, {}));
  l.move_to(all);
}

void burst_scenarios(std::vector<Scenario>& all) {
  List l("bursty");
  const auto dve = User::dve, act = User::act, pe = User::pe0;
  const auto full = [](User user) { return reads(user, kFull, sbuf(0), 2000); };
  l.add("bursty_short_pauses", {{bursts(full(act), 16, 12)}, {full(pe)}});
  l.add("bursty_long_pauses", {{bursts(full(act), 200, 400)}, {full(pe), full(pe)}});
  l.add("bursty_both", {{bursts(full(act), 32, 32)}, {bursts(full(pe), 48, 16)}});
  l.add("bursty_single_beats", {{bursts(reads(dve, kDveCopy, sbuf(0), 900), 1, 5)}, {full(act)}, {full(pe)}});
  l.add("bursty_against_dma",
        {{bursts(full(act), 64, 20)}, {bursts(writes(User::dma0, kFull, sbuf(0), 1000), 32, 40)}, {full(pe)}});
  l.move_to(all);
}

void short_scenarios(std::vector<Scenario>& all) {
  List l("short");
  const auto dve = User::dve, act = User::act, pe = User::pe0;
  l.add("short_words_of_sixteen_beats",
        {times(20, through(dve, kDveCopy, sbuf(0), sbuf(0, 64), 16)),
         times(20, through(act, kFull, sbuf(0), sbuf(0, 64), 16))},
        kPlain, 3);
  l.add("short_single_beats",
        {times(30, reads(dve, kDveCopy, sbuf(0), 1)), times(30, reads(act, kFull, sbuf(0), 1)),
         times(30, reads(pe, kFull, sbuf(0), 1))},
        kPlain, 0);
  l.add("short_one_user_beside_a_long_stream",
        {times(25, through(act, kFull, sbuf(0), sbuf(0, 64), 64)), {reads(pe, kFull, sbuf(0), 2048)}}, kPlain, 10);
  Parameters shallow;
  shallow.buffer_beats = 1;
  l.add("short_buffers_of_one_beat",
        {times(6, through(dve, kDveCopy, sbuf(0), sbuf(0, 300), 250)),
         times(6, through(act, kFull, sbuf(0), sbuf(0, 300), 250))},
        shallow);
  Parameters deep;
  deep.buffer_beats = 64;
  l.add("short_deep_buffers_hide_a_short_conflict",
        {times(4, reads(dve, kDveTwoSources, sbuf(0), 200)), times(8, reads(act, kFull, sbuf(0), 48))}, deep, 100);
  l.move_to(all);
}

void many_user_scenarios(std::vector<Scenario>& all) {
  List l("five");
  const Job dve = combines(User::dve, kDveTwoSources, sbuf(0), sbuf(0, 512), sbuf(0, 1024), 500);
  const Job act = through(User::act, kFp32, sbuf(0), sbuf(0, 512), 800),
            pool = through(User::pool, kFp32, sbuf(0), sbuf(0, 512), 800);
  const Job pe = reads(User::pe0, kFull, sbuf(0), 1500), dma = writes(User::dma0, kDma, sbuf(0), 500);
  l.add("five_users_in_one_bank", {times(2, dve), times(2, act), times(2, pool), times(2, pe), times(2, dma)});
  Scenario& spread = l.add("five_users_in_five_banks", {{dve}, {act}, {pool}, {pe}, {dma}});
  for (std::size_t u = 0; u < spread.users.size(); ++u) {
    for (StreamJob& s : spread.users[u].jobs[0].job.streams) {
      for (BankRun& run : s.runs) run.bank = static_cast<std::uint32_t>(u) + 2;
    }
  }
  Parameters ranks;
  ranks.pe_priority = 1;
  ranks.users[index_of(User::act)].weight = 3;
  ranks.users[index_of(User::pool)].priority = 2;
  l.add("five_users_with_ranks", {times(2, dve), times(2, act), times(2, pool), times(2, pe), times(2, dma)}, ranks);
  Parameters rotate;
  rotate.sbuf_shared = SharedPort::rotate;
  l.add("five_users_rotating_paths", {times(2, dve), times(2, act), times(2, pool), times(2, pe), times(2, dma)},
        rotate);
  l.add("five_users_and_both_memories",
        {times(2, dve), times(3, through(User::act, kFull, psum(0), sbuf(0), 900)), times(2, pool),
         times(3, writes(User::pe0, kFull, psum(0), 900)), times(2, dma)});
  l.move_to(all);
}

}  // namespace

std::vector<Scenario> named_scenarios() {
  std::vector<Scenario> all;
  sbuf_scenarios(all);
  psum_scenarios(all);
  shared_path_scenarios(all);
  dma_scenarios(all);
  layer_scenarios(all);
  rank_scenarios(all);
  throttle_scenarios(all);
  burst_scenarios(all);
  short_scenarios(all);
  many_user_scenarios(all);
  return all;
}

}  // namespace dve::scenarios
