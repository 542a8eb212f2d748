// asm, disasm and check: programs as text, and what is wrong with them. No simulation.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "command_line.h"
#include "commands.h"
#include "dve/core/core.h"
#include "dve/firmware/firmware.h"
#include "exit_codes.h"
#include "program_source.h"
#include "say.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

constexpr const char* kAsmHelp = R"(usage: dve-sim asm PROGRAM.dasm -o PROGRAM.bin [--generation NAME]

Turns assembly text into a binary program of 64-byte words. A program of several engines (.engine) is written stream
after stream; the --stream options that tell them apart again are printed.

)";

constexpr const char* kDisasmHelp =
    R"(usage: dve-sim disasm PROGRAM.bin [--generation NAME] [--stream ENGINE=FIRST:COUNT]...

Prints a binary program as assembly text, one word a line. The text assembles back to the same bytes; a word without
such a text stands as `.word`. `dve-sim asm --help` explains the text.

Examples:
  dve-sim disasm out/program.bin > program.dasm
  dve-sim disasm out/program.bin --stream dve=0:39 --stream pool=39:1 --stream act=40:4

)";

constexpr const char* kCheckHelp = R"(usage: dve-sim check PROGRAM.{bin,dasm} [--generation NAME] [--explain]

Reports every legality rule that a word of the program breaks: the rule's name, field, byte, value, and what was expected.
--explain adds what the rule protects. Exit code 4 when there are findings. Words of engines other than the DVE need
--stream (binary programs) or .engine (text); without them the program is judged as on the first of DVE, POOL and ACT that
has all its opcodes, or, when none has, each word as on an engine that has it.

Examples:
  dve-sim check out/program.bin
  dve-sim check kernel.dasm --generation sunda --explain

)";

po::options_description options_of(const char* caption) {
  po::options_description own(caption);
  own.add_options()("program", po::value<std::string>()->value_name("FILE"), "program, as the free argument");
  return own;
}

void add_streams(po::options_description& own) {
  own.add_options()("stream", po::value<std::vector<std::string>>()->composing()->value_name("ENGINE=FIRST:COUNT"),
                    "words of a binary program that an engine executes; repeat until all words are covered");
}

po::options_description asm_options() {
  po::options_description own = options_of("Options of asm");
  own.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "binary program to write");
  return own;
}

po::options_description disasm_options() {
  po::options_description own = options_of("Options of disasm");
  add_streams(own);
  return own;
}

po::options_description check_options() {
  po::options_description own = options_of("Options of check");
  own.add_options()("explain", "say what each broken rule protects");
  add_streams(own);
  return own;
}

std::string file_of(const CommandLine& line, const char* command, const char* what) {
  if (!line.values.count("program")) throw UsageError(fmt::format("{} needs a {}", command, what));
  return line.values["program"].as<std::string>();
}

std::vector<std::string> streams_of(const CommandLine& line) {
  return line.values.count("stream") ? line.values["stream"].as<std::vector<std::string>>()
                                     : std::vector<std::string>();
}

}  // namespace

Manual asm_manual() {
  return {
      "asm",    "assembly text to a binary program", kAsmHelp, {asm_options(), tool_options()}, assembly::keys_help(),
      "program"};
}

Manual disasm_manual() {
  return {"disasm", "a binary program as text", kDisasmHelp, {disasm_options(), tool_options()}, {}, "program"};
}

Manual check_manual() {
  return {"check",  "every legality rule that a program breaks", kCheckHelp, {check_options(), tool_options()}, {},
          "program"};
}

int asm_command(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_tool(arguments, asm_options(), "program");
  if (line.help) {
    say(stdout, "{}", help_text(asm_manual()));
    return kOk;
  }
  const std::string file = file_of(line, "asm", "PROGRAM.dasm");
  if (!line.values.count("output")) throw UsageError("asm needs -o PROGRAM.bin");
  refuse_same_file(line.values["output"].as<std::string>(), file);
  const ProgramSource source = read_text(file, effective_config(line).config.generation);
  runtime::write_words(line.values["output"].as<std::string>(), source.words);
  if (!line.common.quiet) {
    say(stdout, "{} words\n", source.words.size());
    if (source.engines_named) say(stdout, "{}\n", stream_options(source.streams));
  }
  return kOk;
}

int disasm_command(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_tool(arguments, disasm_options(), "program");
  if (line.help) {
    say(stdout, "{}", help_text(disasm_manual()));
    return kOk;
  }
  const isa::Generation generation = effective_config(line).config.generation;
  const ProgramSource source = read_program(file_of(line, "disasm", "PROGRAM.bin"), streams_of(line), generation);
  for (const runtime::Stream& stream : source.streams) {
    if (source.engines_named) say(stdout, ".engine {}\n", isa::to_string(stream.engine));
    for (std::size_t k = 0; k < stream.count; ++k)
      say(stdout, "{}\n", assembly::disassemble(source.words[stream.first + k], generation));
  }
  return kOk;
}

int check_command(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_tool(arguments, check_options(), "program");
  if (line.help) {
    say(stdout, "{}", help_text(check_manual()));
    return kOk;
  }
  const config::Config settings = effective_config(line).config;
  const ProgramSource source = read_program(file_of(line, "check", "PROGRAM"), streams_of(line), settings.generation);
  const bool explain = line.values.count("explain") != 0;
  const bool engine_known = source.engines_named || firmware::common_engine(source.words).has_value();
  std::size_t found = 0;
  for (const runtime::Stream& stream : source.streams) {
    for (std::size_t k = 0; k < stream.count; ++k) {
      const isa::Word& word = source.words[stream.first + k];
      for (const isa::Finding& finding :
           firmware::findings(word, stream.engine, engine_known, config::legality_options(settings))) {
        ++found;
        const std::string text_line =
            source.lines.empty() ? "" : fmt::format("line {}, ", source.lines[stream.first + k]);
        say(stdout, "{} word {} ({}{}): {}\n", isa::to_string(stream.engine), k, text_line,
            isa::opcode_name(word.opcode_byte()), isa::to_string(finding));
        if (explain) say(stdout, "  {}\n", firmware::explain(finding.predicate));
      }
    }
  }
  if (!line.common.quiet)
    say(stdout, "{} words, {} findings on {}\n", source.words.size(), found, isa::to_string(settings.generation));
  return found == 0 ? kOk : kFault;
}

}  // namespace dve::app
