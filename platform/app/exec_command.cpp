#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "bounds.h"
#include "command_line.h"
#include "commands.h"
#include "device_data.h"
#include "dve/runtime/runtime.h"
#include "exit_codes.h"
#include "layer_run.h"
#include "notification_log.h"
#include "output_folder.h"
#include "program_source.h"
#include "recording.h"
#include "say.h"
#include "session.h"
#include "summary.h"
#include "traffic_options.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

constexpr const char* kExecHelp =
    R"(usage: dve-sim exec PROGRAM.{bin,dasm} [--load PLACE=FILE]... [--dump PLACE:RxK:DTYPE=FILE.npy]... [options]

Executes a program of 64-byte words on the modelled NeuronCore: binary, or assembly text (`dve-sim asm --help`).
Engines are named by --stream (binary), .engine (text) or program.json; they run concurrently and meet through semaphores
and events. A program that names none runs on the first of DVE, POOL and ACT that has all its opcodes.

PLACE is sbuf[PARTITION]+OFFSET, psum[PARTITION]+OFFSET or host:ADDRESS, below 1 GiB; the program itself lies at host:0x0.
--load puts row c of a [C, n] array byte for byte into partition PARTITION + c (a .bin file is one row), before the start.
--dump reads K elements of DTYPE from each of R partitions, after the end, also when the program has faulted.
--record writes one text file that a SystemVerilog bench reads with a single $readmemh (docs/stimulus.md): the words, the
memory that they read, what each of them writes, and the operands and results of the lanes in binary32.
--notifications writes what START, END and NOTIFY words (debug_cmd) and faults reported, one JSON object a line.
--host-steps performs the host's part of a program that `dve-sim run --out DIR` wrote (DIR/program.json) and compares.

Examples:
  dve-sim exec p.bin --load sbuf[0]+0x0=x.npy --dump sbuf[0]+0x4000:128x3:fp32=sums.npy
  dve-sim exec kernel.dasm --load sbuf[0]+0x0=x.npy --config sunda --verbose
  dve-sim exec kernel.dasm --bounds --out out   the cycles at both ends of U, g, L, ...: a table, `bounds` in the report
  dve-sim exec kernel.dasm --trace words.csv --trace t.json --trace-limit 100000
  dve-sim exec kernel.dasm --record kernel.hex  for a test bench: `$readmemh("kernel.hex", stimulus);`
  dve-sim exec out/program.bin --host-steps out/program.json --config out/config.json --out again

)";

po::options_description exec_options() {
  const auto list = [] { return po::value<std::vector<std::string>>()->composing(); };
  po::options_description own("Options of exec");
  own.add_options()("program", po::value<std::string>()->value_name("FILE"), "program, as the free argument")(
      "load", list()->value_name("PLACE=FILE"), "data to place before the start; may be repeated")(
      "dump", list()->value_name("SPEC=FILE"), "data to store after the end; may be repeated")(
      "host-steps", po::value<std::string>()->value_name("FILE"), "perform the host steps of this program.json")(
      "stream", list()->value_name("ENGINE=FIRST:COUNT"),
      "words of a binary program that an engine executes; repeat until all words are covered")(
      "notifications", po::value<std::string>()->value_name("FILE"), "write the engines' notifications as JSON lines")(
      "record", po::value<std::string>()->value_name("FILE"),
      "write words, initial memory and expected results as one file for $readmemh (docs/stimulus.md)")(
      "bounds", "measure the effect of every uncertain number: a run for each end of each range (`dve-sim config`)")(
      "layer", po::value<std::string>()->value_name("DIR"),
      "layer folder for --host-steps (default: the one it names)");
  return own;
}

std::vector<std::string> list_of(const CommandLine& line, const char* option) {
  return line.values.count(option) ? line.values[option].as<std::vector<std::string>>() : std::vector<std::string>();
}

// The program of a description must be the one that runs, on the device it was planned for.
void check_description(const std::string& file, const runtime::ProgramDescription& description, std::size_t words,
                       const config::Config& settings) {
  const auto mismatch = [&](const char* key, const auto& found, const auto& expected) {
    throw layer::InputError(fmt::format("{}: {} is {}, expected {} as in the program and configuration that run", file,
                                        key, found, expected));
  };
  const runtime::PlanRequest& request = description.program.request;
  if (description.words != words) mismatch("words", description.words, words);
  if (request.generation != settings.generation)
    mismatch("options.generation", isa::to_string(request.generation), isa::to_string(settings.generation));
  const numerics::Switches& planned = request.switches;
  const auto same = [&](const char* name, bool equal) {
    if (!equal)
      throw layer::InputError(fmt::format(
          "{}: options.{} is not the configuration's numerics.{}: pass the config.json of the run as --config", file,
          name, name));
  };
  const numerics::Switches& now = settings.numerics;
  same("dst_order", planned.dst_order == now.dst_order);
  same("backprop_form", planned.backprop_form == now.backprop_form);
  same("src0_is", planned.src0_is == now.src0_is);
  same("param_ram_index", planned.param_ram_index == now.param_ram_index);
  same("param_ram_offset_unit", planned.param_ram_offset_unit == now.param_ram_offset_unit);
}

std::unique_ptr<LayerRun> layer_run(const CommandLine& line, const ProgramSource& source,
                                    const config::Config& settings) {
  if (!line.values.count("host-steps")) {
    if (line.values.count("layer")) throw UsageError("--layer needs --host-steps");
    return nullptr;
  }
  const std::string file = line.values["host-steps"].as<std::string>();
  runtime::ProgramDescription description = runtime::read_description(file);
  if (source.engines_named)
    throw UsageError("--host-steps says which engine executes which words: no --stream or .engine");
  check_description(file, description, source.words.size(), settings);
  if (line.values.count("layer")) description.layer_folder = line.values["layer"].as<std::string>();
  description.program.words = source.words;
  layer::LayerOptions options = runtime::layer_options(description);
  options.contents = !line.common.no_data;
  return std::make_unique<LayerRun>(
      std::make_shared<const layer::Layer>(layer::load_layer(description.layer_folder, options)),
      std::make_shared<const runtime::Program>(std::move(description.program)), description.host, options.contents);
}

void check_beside_program(const Load& load, std::uint64_t program_bytes) {
  if (!load.place.on_chip && load.place.host_address < program_bytes)
    throw layer::InputError(fmt::format("--load {}: host:{:#x} lies in the program, which occupies host:0x0 to {:#x}",
                                        load.file.string(), load.place.host_address, program_bytes - 1));
}

// Two outputs in one file, or one over the program, would lose what was there first.
void check_outputs_apart(const CommandLine& line, const std::string& program, const std::vector<Load>& loads,
                         const std::vector<Dump>& dumps) {
  std::vector<std::filesystem::path> files = {program};
  for (const Dump& dump : dumps) files.push_back(dump.file);
  for (const char* option : {"notifications", "profile"}) {
    if (line.values.count(option)) files.emplace_back(line.values[option].as<std::string>());
  }
  for (std::size_t k = 1; k < files.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) refuse_same_file(files[k], files[other]);
  }
  for (const Load& load : loads) files.emplace_back(load.file);
  if (line.values.count("host-steps")) files.emplace_back(line.values["host-steps"].as<std::string>());
  std::vector<std::filesystem::path> outputs;
  if (line.values.count("record")) outputs.emplace_back(line.values["record"].as<std::string>());
  check_traces_apart(line.common, files, outputs);
}

// Outputs made of what --no-data leaves out.
void refuse_contents(const CommandLine& line) {
  if (!line.common.no_data) return;
  for (const char* option : {"dump", "notifications", "record"}) {
    if (line.values.count(option))
      throw UsageError(fmt::format("--{} stores what memories hold, and with --no-data they hold nothing", option));
  }
}

std::string program_file(const CommandLine& line) {
  if (!line.values.count("program")) throw UsageError("exec needs a PROGRAM.bin or PROGRAM.dasm");
  return line.values["program"].as<std::string>();
}

}  // namespace

Manual exec_manual() {
  return {"exec",    "execute a program of instruction words, binary or text",
          kExecHelp, {exec_options(), common_options()},
          {},        "program"};
}

int exec_command(const std::vector<std::string>& arguments) {
  const CommandLine line = parse(arguments, exec_options(), "program");
  if (line.help) {
    say(stdout, "{}", help_text(exec_manual()));
    return kOk;
  }
  const std::string file = program_file(line);
  refuse_contents(line);
  const config::Effective effective = effective_config(line);
  ProgramSource source = read_program(file, list_of(line, "stream"), effective.config.generation);
  const std::size_t words = source.words.size();
  const std::uint64_t program_bytes = words * isa::kWordBytes;
  std::uint64_t host_bytes = std::max(program_bytes, kHostMemoryBytes);
  std::vector<Load> loads;
  for (const std::string& text : list_of(line, "load")) {
    loads.push_back(read_load(text, effective.config.generation, !line.common.no_data));
    check_beside_program(loads.back(), program_bytes);
  }
  std::vector<Dump> dumps;
  for (const std::string& text : list_of(line, "dump")) {
    dumps.push_back(parse_dump(text, effective.config.generation));
  }
  check_outputs_apart(line, file, loads, dumps);
  const std::unique_ptr<LayerRun> layer = layer_run(line, source, effective.config);
  const OutputFolder out(line.common.out);

  HostTasks tasks;
  if (layer) tasks = layer->tasks();
  tasks.program = std::move(source.words);  // a program may be large: one copy here, one in host memory
  if (!layer) tasks.streams = source.streams;
  tasks.traffic = traffic_for(line.common, effective.config, tasks);
  NotificationLog notifications(
      line.values.count("notifications") ? line.values["notifications"].as<std::string>() : "", tasks.streams,
      host_bytes);
  host_bytes += notifications.memory_bytes();
  if (line.common.no_data) loads.clear();
  tasks.before = [&loads, &notifications, initial = tasks.before](Host& host) {
    if (initial) initial(host);
    for (const Load& load : loads) perform(load, host);
    notifications.set_up(host);
  };
  const BoundsStudy study =
      line.values.count("bounds") ? BoundsStudy(effective, line.common, tasks, host_bytes) : BoundsStudy();
  Recording recording(line.values.count("record") ? line.values["record"].as<std::string>() : "", effective.config,
                      tasks);
  Session session(effective, line.common, std::move(tasks), host_bytes, recording.recorder());
  out.write_config(effective);
  if (!line.common.quiet) say(stdout, "program       {}: {} words\n{}", file, words, device_line(effective));
  const RunOutcome outcome = session.run();
  layer::Outputs outputs;
  outputs.attempt([&] { session.finish_traces(); });
  outputs.attempt([&] { session.finish_waves(); });
  for (const Dump& dump : dumps) outputs.attempt([&] { perform(dump, session.host()); });
  outputs.attempt([&] { notifications.write(session.host()); });
  outputs.attempt([&] { recording.finish(outcome.status, session.host()); });
  std::vector<layer::TensorComparison> comparisons;
  if (layer && outcome.status == RunStatus::ok) comparisons = layer->collect(session.host(), out, outputs);
  if (layer && outcome.status != RunStatus::ok) layer->keep_partial(out, outputs);
  return conclude(line.common, effective, outcome, session, layer ? &layer->layer() : nullptr, comparisons, out,
                  outputs, study);
}

}  // namespace dve::app
