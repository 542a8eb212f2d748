#include "workload_run.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "dve/warm/warm.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "output_folder.h"
#include "progress.h"
#include "say.h"
#include "subject.h"
#include "summary.h"

namespace dve::app {
namespace {

void refuse_options_of_one_layer(const CommandLine& line) {
  const auto refuse = [](const char* option) {
    throw UsageError(fmt::format("--{} goes with a layer folder, expected none with a workload", option));
  };
  for (const char* option : {"bounds", "trace", "profile", "traffic", "waves"})
    if (line.values.count(option)) refuse(option);
}

int code_of(const std::string& status) {
  if (status == "ok") return kOk;
  if (status == "compare_failed") return kCompareFailed;
  return status == "fault" ? kFault : kDeadlock;
}

// The reports of all parts; empty after an interrupt.
std::vector<std::string> reports_of(Subject& subject, const workload::Workload& workload,
                                    const config::Effective& effective, bool draw) {
  std::vector<std::string> reports(subject.parts());
  std::optional<std::string> refusal;
  Progress progress(draw, subject.parts(), "layers");
  const auto work = [&](std::size_t part) { return subject.run(part, effective); };
  const auto stop = [&] { return interrupted() || refusal.has_value(); };
  warm::ChildPool({}, work, stop).run(subject.parts(), [&](std::size_t part, const warm::ChildEnd& end) {
    if (end.how == warm::ChildEnd::How::stopped || stop()) return;
    progress.advance();
    if (end.how != warm::ChildEnd::How::answered)
      throw std::runtime_error(fmt::format("the process of layer {} {}", workload.layers[part].name, end.text));
    const Subject::Answer answer = Subject::answer(end.text);
    if (answer.refused)
      refusal = answer.text;
    else
      reports[part] = answer.text;
  });
  if (refusal) throw layer::InputError(*refusal);
  if (interrupted()) reports.clear();
  return reports;
}

std::string workload_line(const workload::Workload& workload) {
  return fmt::format("workload      {}: {} layers of {} shapes, batch {}\n", workload.name, workload.layer_count(),
                     workload.layers.size(), workload.batch);
}

}  // namespace

int run_workload(const CommandLine& line, const WarmRequest& request, const config::Effective& effective,
                 const std::filesystem::path& file) {
  const auto begin = std::chrono::steady_clock::now();
  refuse_options_of_one_layer(line);
  const workload::Workload workload = workload::read_workload(file);
  Subject subject(request, workload);
  const OutputFolder out(line.common.out);
  out.write_config(effective);
  if (!line.common.quiet) say(stdout, "{}{}", workload_line(workload), device_line(effective));
  const std::vector<std::string> reports = reports_of(subject, workload, effective, line.common.progress);
  if (reports.empty()) {
    say(stderr, "dve-sim: interrupted\n");
    return kInterrupted;
  }
  const std::string text = subject.whole(reports);
  const json::Json report = json::Json::parse(text);
  const auto status = report["status"].get<std::string>();
  if (!line.common.quiet) {
    say(stdout, "{}result        {}\n", workload::network_table(report), status);
    std::fflush(stdout);
    say(stderr, "wall time     {:.2f} s\n",
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  out.write_text("report.json", text);
  if (status != "ok") say(stderr, "dve-sim: {}: {}\n", workload.name, status);
  return code_of(status);
}

}  // namespace dve::app
