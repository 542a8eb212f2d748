#include "array_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "tool.h"

namespace dve::slurm {
namespace {

constexpr const char* kFields = "ArrayTaskID:|,State:|,Reason:|,exit_code:|,NodeList:|";
constexpr std::size_t kFieldCount = 5;

bool all_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// --parsable prints "12" or "12;cluster", beside warnings.
std::string job_number(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::string number = line.substr(0, line.find(';'));
    if (all_digits(number)) return number;
  }
  return "";
}

// A wait status, or "code:signal".
void take_exit_code(TaskState& task, const std::string& text) {
  const std::size_t colon = text.find(':');
  const int number = std::atoi(text.c_str());
  task.code = colon == std::string::npos ? (number >> 8) & 0xFF : number;
  task.signal = colon == std::string::npos ? number & 0x7F : std::atoi(text.c_str() + colon + 1);
}

}  // namespace

bool TaskState::ended() const {
  static const std::vector<std::string> ends = {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE",      "FAILED",
                                                "NODE_FAIL", "PREEMPTED", "REVOKED",   "OUT_OF_MEMORY", "TIMEOUT"};
  return std::find(ends.begin(), ends.end(), state) != ends.end();
}

std::string submit(const ArrayRequest& request) {
  std::vector<std::string> words = {"sbatch"};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  const std::string limit = request.at_once == 0 ? "" : fmt::format("%{}", request.at_once);
  words.insert(words.end(), {"--parsable", "--job-name=" + request.name, "--no-requeue", "--output=/dev/null",
                             fmt::format("--array=0-{}{}", request.tasks - 1, limit), request.script.string()});
  const ToolEnd end = run_tool(words);
  std::string number = job_number(end.output);
  if (end.code == 0 && !number.empty()) return number;
  throw Unavailable(fmt::format("`{}` was refused with code {}: {}; expected the number of a job",
                                fmt::join(words, " "), end.code, last_line(end.output)));
}

std::map<std::size_t, TaskState> parse_tasks(const std::string& text) {
  std::map<std::size_t, TaskState> tasks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '|');) fields.push_back(cell);
    if (fields.size() < kFieldCount || !all_digits(fields[0])) continue;
    TaskState task{fields[1], fields[2], fields[4], 0, 0};
    take_exit_code(task, fields[3]);
    tasks[std::strtoull(fields[0].c_str(), nullptr, 10)] = task;
  }
  return tasks;
}

std::optional<std::map<std::size_t, TaskState>> tasks_of(const std::string& name) {
  const ToolEnd end =
      run_tool({"squeue", "--noheader", "--array", "--states=all", "--name=" + name, "--Format", kFields});
  if (end.code != 0) return std::nullopt;
  return parse_tasks(end.output);
}

void cancel(const std::string& name) {
  const ToolEnd end = run_tool({"scancel", "--name=" + name});
  if (end.code != 0)
    throw Unavailable(fmt::format("`scancel --name={}` failed with code {}: {}; expected the jobs to be cancelled",
                                  name, end.code, last_line(end.output)));
}

}  // namespace dve::slurm
