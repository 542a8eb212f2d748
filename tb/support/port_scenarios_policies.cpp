// The named scenarios of ranks, throttles, bursts, short streams and five users.
#include "support/port_scenario_list.h"

namespace dve::scenarios {
namespace {

using namespace dve::contention;

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

void add_policy_scenarios(std::vector<Scenario>& all) {
  rank_scenarios(all);
  throttle_scenarios(all);
  burst_scenarios(all);
  short_scenarios(all);
  many_user_scenarios(all);
}

}  // namespace dve::scenarios
