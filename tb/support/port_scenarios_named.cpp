// The named scenarios: what two to five users do to each other at the ports.
#include "support/port_scenario_list.h"

namespace dve::scenarios {
namespace {

using namespace dve::contention;

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
  l.add("sbuf_written_backlog_is_far_longer_than_a_buffer",
        {{job(dve, kDveCopy, 10, {read(kPlain, sbuf(1), 10), write(kPlain, sbuf(0), 70'000)})},
         {reads(act, kFull, sbuf(0), 90'000)}});
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

}  // namespace

std::vector<Scenario> named_scenarios() {
  std::vector<Scenario> all;
  sbuf_scenarios(all);
  psum_scenarios(all);
  shared_path_scenarios(all);
  dma_scenarios(all);
  layer_scenarios(all);
  add_policy_scenarios(all);
  return all;
}

}  // namespace dve::scenarios
