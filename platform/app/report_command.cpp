#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "command_line.h"
#include "commands.h"
#include "dve/layer/layer.h"
#include "dve/page/page.h"
#include "exit_codes.h"
#include "say.h"

namespace dve::app {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr const char* kReportHelp = R"(usage: dve-sim report DIR [--compare DIR2] [-o report.html]

Makes one HTML page of what a run or a sweep has left in DIR, the folder that --out named. The page needs no network and no
other file: send it to a colleague, open it in any browser, on a phone, in dark or light, with mouse or keyboard.

DIR of run, exec          report.json and, when it is there, config.json
DIR of run NETWORK        the same; the report of each layer is in report.json
DIR of sweep              sweep.json, sweep.csv, and points/NUMBER/report.json of the points that the page shows closer

The page says in words what bounds the run or each layer, by how much, and what would help most: how much shorter it could
get at most if one cause of waiting were gone or one resource were twice as fast. Below that:
  run       where the cycles of each engine went, the least time each resource needs (roofline), bytes over time at each
            port, bank and DMA ring, results against references, latencies, faults, the configuration
  network   the same of each layer, all layers side by side and in a table to sort and filter
  sweep     points as a scatter of any two columns with the Pareto front, how much of the spread in time each axis explains,
            all points as a table, failed ones with their reason
--compare puts a second run beside the first (A: DIR, B: DIR2), or a second sweep with the same axes.

The same folders give the same bytes.

Examples:
  dve-sim run --out out && dve-sim report out                     writes report.html
  dve-sim run --config sunda --out sunda && dve-sim report out --compare sunda -o sunda.html
  dve-sim run resnet_50 --no-data --out net && dve-sim report net
  dve-sim sweep configs/sweeps/default_layer.json --out points && dve-sim report points -o points.html

)";

po::options_description report_options() {
  po::options_description own("Options of report");
  own.add_options()("dir", po::value<std::string>()->value_name("DIR"),
                    "folder of a run or a sweep, as the free argument")(
      "compare", po::value<std::string>()->value_name("DIR"), "a second folder of the same kind beside it")(
      "output,o", po::value<std::string>()->default_value("report.html")->value_name("FILE"), "the page")(
      "quiet", "print nothing but errors")("help,h", "print this help");
  return own;
}

// What the page is made from must survive it.
void refuse_inputs(const fs::path& output, const fs::path& folder) {
  for (const char* file : {"report.json", "config.json", "sweep.json", "sweep.csv"})
    refuse_same_file(output, folder / file);
}

}  // namespace

Manual report_manual() {
  return {"report", "a page (HTML) of what run, exec or sweep left in its folder", kReportHelp, {report_options()}, {},
          "dir"};
}

int report_command(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_own(arguments, report_options(), "dir");
  if (line.help) {
    say(stdout, "{}", help_text(report_manual()));
    return kOk;
  }
  if (!line.values.count("dir")) throw UsageError("DIR is missing (dve-sim report --help)");
  const fs::path folder = line.values["dir"].as<std::string>();
  std::optional<fs::path> other;
  if (line.values.count("compare")) other = line.values["compare"].as<std::string>();
  const std::string output = line.values["output"].as<std::string>();
  refuse_inputs(output, folder);
  if (other) refuse_inputs(output, *other);
  const std::string text = page::page(folder, other);
  layer::write_file(output, text);
  if (!line.common.quiet) say(stdout, "page          {}: {} bytes\n", output, text.size());
  return kOk;
}

}  // namespace dve::app
