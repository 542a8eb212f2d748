#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bounds.h"
#include "command_line.h"
#include "commands.h"
#include "dve/runtime/runtime.h"
#include "dve/workload/workload.h"
#include "exit_codes.h"
#include "layer_run.h"
#include "output_folder.h"
#include "say.h"
#include "session.h"
#include "summary.h"
#include "traffic_options.h"
#include "workload_run.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

constexpr const char* kRunHelp = R"(usage: dve-sim run [LAYER_DIR | WORKLOAD.json] [options]

Runs the training step of a batch-norm layer on the modelled NeuronCore and compares the results with float64 and with the
reference files of the layer.

--step backward (the default) computes dx, dgamma and dbeta on the DVE; the host computes inv_std and the coefficient A,
and adds the sums of tiles. --step full computes y as well, without any arithmetic on the host: statistics and gradients
on the DVE, rsqrt and the affine forward result on ACT, coefficients and tile sums on POOL, synchronised by semaphores.

LAYER_DIR holds x.npy and dy.npy ([C, n] or [N, C, ...]; both fp32 '<f4', fp16 '<f2', or bf16 bits as '<u2'), gamma.npy
([C], fp32), optionally mean.npy and inv_std.npy ([C], fp32; both: statistics are given, neither: the device computes
them), beta.npy ([C], fp32; --step full needs it), and references dx.npy, dgamma.npy, dbeta.npy, y.npy, mean.npy, var.npy,
also as *64.npy in float64. Without LAYER_DIR a bundled layer of a real network runs.

WORKLOAD.json, or the name of one in configs/workloads, is a network: its layers run one by one, each as often as it occurs
counts into the sums of a table. Statistics are computed on the device unless the file says otherwise, place and tiling are
the file's unless --set says otherwise. --out gets report.json with the sums and the report of each layer. Without a
folder of its own a layer has seeded tensors.

The comparison table: *_device64 is float64 of the same formulas on the device's own inputs, the other rows are the
reference files. max rel is max abs over the largest reference; tolerance is the largest absolute tolerance, each
element (or channel) has its own.

Examples:
  dve-sim run                                   the bundled layer on cayman
  dve-sim run my_layer --dtype bf16 --out out   in bf16, results in out/
  dve-sim run --config sunda --set place.x=psum another generation, x in PSUM
  dve-sim run --step full                       forward and backward on three engines
  dve-sim run --microbatches 4                  four GradAccum result sets, added by the host
  dve-sim run big --set place.x=hbm --set place.dy=hbm --set place.dx=hbm
                                                a layer that exceeds SBUF: DMA moves tiles, two buffers each
  dve-sim run --bounds --out out                cycles at both ends of every uncertain number: a table, and `bounds` in
                                                out/report.json; each is a run of its own
  dve-sim run --step full --trace t.json.gz     a timeline for ui.perfetto.dev: drop the file there
  dve-sim run resnet_50 --no-data               the batch-norm layers of a network: a table, and their sum
  dve-sim run --no-data --out out               cycles and report alone: no tensor is read, computed or stored
  dve-sim run --trace t.vcd --trace-window 0:5000 --trace-filter dve,ports,semaphores
                                                waveforms of the first 5 us of the DVE

)";

po::options_description run_options() {
  po::options_description own("Options of run");
  own.add_options()("layer", po::value<std::string>()->value_name("DIR|NETWORK"),
                    "layer folder or workload, as the free argument")(
      "step", po::value<std::string>()->default_value("backward")->value_name("backward|full"),
      "training step: backward, or full (forward and backward without arithmetic on the host)")(
      "dtype", po::value<std::string>()->value_name("fp32|bf16|fp16"),
      "device dtype of x, dy and dx (default: that of x.npy)")(
      "eps", po::value<std::string>()->default_value("1e-5")->value_name("E"),
      "added to the variance before the square root, when the device computes the statistics")(
      "loss-scale", po::value<std::string>()->default_value("1")->value_name("S"),
      "multiply dy before conversion, divide the results")(
      "microbatches", po::value<std::string>()->default_value("1")->value_name("K"),
      "cut the batch into K parts with a GradAccum result set each, which are added")(
      "bounds", "measure the effect of every uncertain number: a run for each end of each range (`dve-sim config`)")(
      "device-stats", "compute mean and variance on the device although the layer gives them");
  return own;
}

double finite_number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value - value == 0))
    throw UsageError(fmt::format("--{} is '{}', expected a finite number", option, text));
  return value;
}

runtime::Step step_of(const CommandLine& line) {
  const std::string text = line.values["step"].as<std::string>();
  if (text == "backward") return runtime::Step::backward;
  if (text == "full") return runtime::Step::full;
  throw UsageError(fmt::format("--step is '{}', expected backward or full", text));
}

layer::LayerOptions layer_options(const CommandLine& line, const config::Config& settings) {
  layer::LayerOptions options;
  if (line.values.count("dtype")) {
    const std::string text = line.values["dtype"].as<std::string>();
    if (text != "fp32" && text != "bf16" && text != "fp16")
      throw UsageError(fmt::format("--dtype is '{}', expected fp32, bf16 or fp16", text));
    options.dtype = isa::dtype_from_string(text);
  }
  options.loss_scale = static_cast<float>(finite_number("loss-scale", line.values["loss-scale"].as<std::string>()));
  if (!(options.loss_scale > 0) || options.loss_scale - options.loss_scale != 0)
    throw UsageError(fmt::format("--loss-scale is '{}', expected a positive number within binary32",
                                 line.values["loss-scale"].as<std::string>()));
  options.device_statistics = line.values.count("device-stats") != 0 || step_of(line) == runtime::Step::full;
  options.contents = !line.common.no_data;
  options.switches = settings.numerics;
  return options;
}

std::size_t tile_count(const runtime::Program& program) {
  std::size_t tiles = 0;
  for (const runtime::Pass& pass : program.passes) tiles += pass.tiles.size();
  return tiles;
}

std::string layer_line(const layer::Layer& layer) {
  return fmt::format("layer         {}: {} channels x {} elements, {}, statistics {}\n", layer.folder.string(),
                     layer.channels, layer.elements, isa::name(layer.dtype),
                     layer.statistics_given ? "given" : "computed on the device");
}

std::string program_line(const runtime::Program& program) {
  std::string streams;
  for (const runtime::Stream& stream : program.streams)
    streams += fmt::format("{}{} {}", streams.empty() ? " (" : ", ", isa::to_string(stream.engine), stream.count);
  return fmt::format("program       {} words{}, passes: {}, tiles: {}, host steps: {}\n", program.words.size(),
                     streams.empty() ? streams : streams + ")", program.passes.size(), tile_count(program),
                     program.steps.size());
}

std::string layer_argument(const CommandLine& line) {
  return line.values.count("layer") ? line.values["layer"].as<std::string>() : bundled_layer();
}

// A file, or a name that is no file but one of a workload; everything else is a layer folder.
bool is_workload(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return !std::filesystem::is_directory(path, error);
  return path.extension() == ".json" || !path.has_parent_path();
}

int run_network(const CommandLine& line, const config::Effective& effective, double eps) {
  const layer::LayerOptions options = layer_options(line, effective.config);
  WarmRequest request;
  request.dtype = options.dtype;
  request.loss_scale = options.loss_scale;
  request.device_statistics = options.device_statistics;
  request.step = step_of(line);
  request.microbatches = positive_number("microbatches", line.values["microbatches"].as<std::string>());
  request.eps = eps;
  request.data = options.contents;
  request.max_cycles = line.common.max_cycles;
  return run_workload(line, request, effective, workload::find_workload(layer_argument(line), ""));
}

// Results carry the names of the layer's own files.
void refuse_layer_as_output(const std::string& out, const std::filesystem::path& layer) {
  std::error_code ignored;
  if (!out.empty() && std::filesystem::equivalent(out, layer, ignored))
    throw UsageError(fmt::format("--out is '{}', the layer folder itself: its files would be overwritten", out));
}

// What must survive the run.
std::vector<std::filesystem::path> files_of(const std::string& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) files.push_back(entry.path());
  return files;
}

}  // namespace

Manual run_manual() {
  return {"run",    "training step of a layer: program, simulation, comparison with float64 and references",
          kRunHelp, {run_options(), common_options()},
          {},       "layer"};
}

int run_command(const std::vector<std::string>& arguments) {
  const CommandLine line = parse(arguments, run_options(), "layer");
  if (line.help) {
    say(stdout, "{}", help_text(run_manual()));
    return kOk;
  }
  const double eps = finite_number("eps", line.values["eps"].as<std::string>());
  const config::Effective effective = effective_config(line);
  const std::string folder = layer_argument(line);
  if (is_workload(folder)) return run_network(line, effective, eps);
  const auto loaded =
      std::make_shared<const layer::Layer>(layer::load_layer(folder, layer_options(line, effective.config)));
  const layer::Layer& layer = *loaded;
  refuse_layer_as_output(line.common.out, layer.folder);
  runtime::PlanRequest request = plan_request(layer, effective.config);
  request.step = step_of(line);
  request.microbatches = positive_number("microbatches", line.values["microbatches"].as<std::string>());
  request.eps = eps;
  const auto planned = std::make_shared<const runtime::Program>(runtime::plan(request));
  const runtime::Program& program = *planned;
  LayerRun run(loaded, planned, {eps}, !line.common.no_data);
  check_traces_apart(line.common, files_of(layer.folder));
  const OutputFolder out(line.common.out);

  const std::uint64_t host_bytes = program.words.size() * isa::kWordBytes;
  HostTasks tasks = run.tasks();
  tasks.traffic = traffic_for(line.common, effective.config, tasks);
  const BoundsStudy study =
      line.values.count("bounds") ? BoundsStudy(effective, line.common, tasks, host_bytes) : BoundsStudy();
  Session session(effective, line.common, std::move(tasks), host_bytes);
  out.write_program({layer.folder, layer.loss_scale, run.options(), program.words.size(), program});
  out.write_config(effective);
  if (!line.common.quiet) say(stdout, "{}{}{}", layer_line(layer), device_line(effective), program_line(program));
  const RunOutcome outcome = session.run();
  layer::Outputs outputs;
  outputs.attempt([&] { session.finish_traces(); });
  outputs.attempt([&] { session.finish_waves(); });
  std::vector<layer::TensorComparison> comparisons;
  if (outcome.status == RunStatus::ok)
    comparisons = run.collect(session.host(), out, outputs);
  else
    run.keep_partial(out, outputs);
  return conclude(line.common, effective, outcome, session, &run.layer(), comparisons, out, outputs, study);
}

}  // namespace dve::app
