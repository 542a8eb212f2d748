#include "slurm_task.h"

#include <fmt/format.h>

#include "exit_codes.h"

namespace dve::app {
namespace {

// Exit codes of the script, beside those of dve-sim and of the shell.
constexpr int kNoFolder = 81, kNoProgram = 82;
constexpr int kNotExecutable = 126, kNotFound = 127;

std::string quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string how_it_ended(const slurm::TaskState& state, const std::string& log) {
  std::string how = state.signal != 0 ? fmt::format("was ended by signal {}", state.signal)
                    : state.code != 0 ? fmt::format("ended with code {}", state.code)
                                      : "ended without an exit code";
  if (state.state != "FAILED" && state.state != "COMPLETED") how += fmt::format(" ({})", state.state);
  const std::string last = slurm::last_line(log);
  return last.empty() ? how : fmt::format("{}: {}", how, last);
}

}  // namespace

std::string task_script(const TaskScript& script) {
  std::string words;
  for (const std::string& word : script.words) words += quoted(word) + " ";
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# A task of `dve-sim sweep --executor slurm`: the points in NUMBER.points.\n"
      "task={0}/$SLURM_ARRAY_TASK_ID\n"
      "[ -r \"$task.points\" ] || exit {1}\n"
      "true >>\"$task.log\" || exit {2}\n"
      "exec >>\"$task.log\" 2>&1\n"
      "cd {3} || exit {1}\n"
      "[ -x {4} ] || exit {5}\n"
      "set -- --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" --points \"@$task.points\"\n",
      quoted(script.round.string()), kNoFolder, static_cast<int>(kOutput),
      quoted(std::filesystem::current_path().string()), quoted(script.words.front()), kNoProgram);
  if (!script.measuring_task.empty())
    text += fmt::format("[ \"$SLURM_ARRAY_TASK_ID\" != {} ] || set -- \"$@\" --stop-after {}\n", script.measuring_task,
                        script.stop_after.count());
  return text + fmt::format("exec {}\"$@\"\n", words);
}

TaskVerdict judge(const slurm::TaskState& state, const std::string& log) {
  if (state.well()) return {TaskEnd::well, ""};
  if (state.state != "FAILED" || state.signal != 0) return {TaskEnd::failed, how_it_ended(state, log)};
  switch (state.code) {
    case kNoFolder:
      return {TaskEnd::unsuitable, "does not see the folder, expected one that all nodes share"};
    case kNoProgram:
      return {TaskEnd::unsuitable, "does not see this dve-sim, expected it at the same path on all nodes"};
    case kOutput:
      return {TaskEnd::full, how_it_ended(state, log)};
    case kUsage:
    case kInput:
    case kNotExecutable:
    case kNotFound:
      return {TaskEnd::unsuitable, how_it_ended(state, log)};
    default:
      return {TaskEnd::failed, how_it_ended(state, log)};
  }
}

}  // namespace dve::app
