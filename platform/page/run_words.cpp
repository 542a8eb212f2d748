#include "run_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "advice.h"
#include "numbers.h"

namespace dve::page {
namespace {

using json::Json;

constexpr std::size_t kNamedLayers = 3;

std::string first_fault(const Run& run) {
  if (!run.shown["faults"].empty()) {
    const Json& f = run.shown["faults"][0];
    const auto cell = [&f](std::size_t k) { return f[k].get<std::string>(); };
    return fmt::format("{} word {} ({}): {} is {}, expected {}", cell(0), cell(1), cell(2), cell(4), cell(5), cell(6));
  }
  return run.shown["dma_faults"].empty() ? "" : run.shown["dma_faults"][0].get<std::string>();
}

std::string first_wait(const Run& run) {
  if (run.shown["waits"].empty()) return "";
  const Json& w = run.shown["waits"][0];
  return fmt::format("{} waits for {}", w[0].get<std::string>(), w[2].get<std::string>());
}

std::string first_mismatch(const Run& run) {
  for (const Json& row : run.shown["compare"])
    if (row[4] != 0)
      return fmt::format("{} differs in {}", row[0].get<std::string>(),
                         count_text(row[4].get<std::uint64_t>(), "value", "values"));
  return "";
}

std::string with(const std::string& sentence, const std::string& detail) {
  return detail.empty() ? sentence + "." : fmt::format("{}: {}.", sentence, detail);
}

std::string comparison_sentence(const Run& run) {
  if (run.shown["compare"].empty()) return "It ended well; there was no data to compare.";
  return fmt::format("It ended well, and {} within tolerance.",
                     run.shown["compare"].size() == 1
                         ? "the one comparison with a reference is"
                         : fmt::format("all {} comparisons with references are", run.shown["compare"].size()));
}

std::string took_sentence(const Run& run) {
  const std::string what = run.network.empty() ? "The run" : run.network;
  const std::string words = count_text(run.instructions, "instruction", "instructions");
  if (!run.timed())
    return fmt::format("{} executed {}; it has no time, so nothing can be said of what bounds it.", what, words);
  return fmt::format("{} takes {} ({} cycles of the DVE) for {} on {}.", what, time_text(run.time_ns), *run.cycles,
                     words, run.device);
}

std::string help_sentence(const std::vector<Measure>& list, double time_ns) {
  if (list.empty()) return "No single change would shorten it: several resources are needed all of the time.";
  const Measure& best = list.front();
  return fmt::format("What would help most: {}, at most {} less time ({}). Try {}.", best.change,
                     percent_text(best.saved_ns / time_ns), time_text(best.saved_ns), best.how);
}

std::string main_bucket_sentence(const Run& run) {
  const EngineCycles& engine = main_engine(run);
  std::size_t most = 1;
  for (std::size_t b = 1; b < kBuckets.size(); ++b)
    if (engine.buckets[b] > engine.buckets[most]) most = b;
  if (engine.cycles == 0 || engine.buckets[most] == 0) return "";
  return fmt::format("Beside {} busy, {} spends {} of its cycles on {}.",
                     percent_text(static_cast<double>(engine.buckets[kBusy]) / static_cast<double>(engine.cycles)),
                     engine.name,
                     percent_text(static_cast<double>(engine.buckets[most]) / static_cast<double>(engine.cycles)),
                     bucket_text(kBuckets[most]));
}

// How much of a network each bottleneck holds.
struct Group {
  std::string bottleneck;
  std::uint64_t layers = 0;
  double ns = 0;
  double least = 1, most = 0;  // share of a layer's time that its longest resource is needed for
};

std::vector<Group> groups_of(const Run& network) {
  std::vector<Group> groups;
  for (const LayerRun& layer : network.layers) {
    if (!layer.run.timed() || layer.run.roofline.empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.bottleneck == layer.run.bottleneck; });
    if (group == groups.end()) group = groups.insert(group, {layer.run.bottleneck});
    const double share = layer.run.roofline.front().ns / layer.run.time_ns;
    group->layers += layer.repeat;
    group->ns += layer.all_ns();
    group->least = std::min(group->least, share);
    group->most = std::max(group->most, share);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.ns > b.ns; });
  return groups;
}

// "dma ring 0 limits 17 layers, 57 % of the time; it is needed for 52 % to 98 % of theirs."
std::string group_sentence(const Group& g, double time_ns) {
  const std::string head = fmt::format("{} limits {}, {} of the time", bucket_text(g.bottleneck),
                                       count_text(g.layers, "layer", "layers"), percent_text(g.ns / time_ns));
  const std::string least = percent_text(g.least), most = percent_text(g.most);
  const std::string range = least == most ? least : fmt::format("{} to {}", least, most);
  if (g.most < 0.5) return fmt::format("{}; no resource is needed for more than {} of theirs.", head, most);
  return fmt::format("{}; it is needed for {} of theirs.", head, range);
}

void add_network(const Run& network, std::vector<std::string>& list) {
  if (!network.timed()) return;
  for (const Group& g : groups_of(network)) list.push_back(group_sentence(g, network.time_ns));
  std::vector<const LayerRun*> longest;
  for (const LayerRun& layer : network.layers) longest.push_back(&layer);
  std::stable_sort(longest.begin(), longest.end(),
                   [](const LayerRun* a, const LayerRun* b) { return a->all_ns() > b->all_ns(); });
  longest.resize(std::min(longest.size(), kNamedLayers));
  std::string names;
  double together = 0;
  for (const LayerRun* layer : longest) {
    names += fmt::format("{}{} ({}, {})", names.empty() ? "" : ", ", layer->name, layer->shape,
                         percent_text(layer->all_ns() / network.time_ns));
    together += layer->all_ns();
  }
  list.push_back(fmt::format("Most time goes to {}: {} together.", names, percent_text(together / network.time_ns)));
}

}  // namespace

std::string end_sentence(const Run& run) {
  if (run.status == "ok") return comparison_sentence(run);
  if (run.status == "compare_failed")
    return with("It computed something else than the references", first_mismatch(run));
  if (run.status == "fault") return with("It ended with a fault", first_fault(run));
  if (run.status == "deadlock") return with("It came to a standstill", first_wait(run));
  if (run.status == "timeout") return "It reached --max-cycles and was stopped.";
  if (run.status == "interrupted") return "It was interrupted: what is shown is what had happened until then.";
  return with(fmt::format("There is no run to show ({})", run.status), run.reason);
}

std::string bound_sentence(const Run& run) {
  if (!run.timed() || run.roofline.empty()) return "";
  const ResourceTime& longest = run.roofline.front();
  const double share = longest.ns / run.time_ns;
  if (share >= 0.5)
    return fmt::format("{} bounds it: needed for {} of {}, {} of the time.", longest.resource, time_text(longest.ns),
                       time_text(run.time_ns), percent_text(share));
  return fmt::format("No resource bounds it: {}, the one needed longest, accounts for {}, {} of the time.",
                     longest.resource, time_text(longest.ns), percent_text(share));
}

std::vector<std::string> sentences(const Run& run) {
  if (!run.reason.empty()) return {end_sentence(run)};
  std::vector<std::string> list = {took_sentence(run), end_sentence(run)};
  if (!run.timed()) return list;
  if (run.network.empty()) {
    list.push_back(bound_sentence(run));
    list.push_back(main_bucket_sentence(run));
    list.push_back(help_sentence(measures(run), run.time_ns));
  } else {
    add_network(run, list);
    list.push_back(help_sentence(network_measures(run), run.time_ns));
  }
  list.erase(std::remove(list.begin(), list.end(), ""), list.end());
  return list;
}

}  // namespace dve::page
