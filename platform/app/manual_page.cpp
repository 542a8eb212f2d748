// dve-sim(1) in the man macros.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "manual.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

// Text that the formatter prints as it stands: hyphens are ASCII, so that options can be copied.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// A line of text: one that begins with a full stop or an apostrophe would be a macro.
std::string text_line(std::string_view line) {
  const std::string text = escaped(line);
  return (text.rfind(".", 0) == 0 ? "\\&" : "") + text + "\n";
}

using Lines = std::vector<std::string>;

// The paragraphs of a text, which empty lines part.
std::vector<Lines> paragraphs_of(const std::string& text) {
  std::vector<Lines> paragraphs(1);
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty())
      paragraphs.back().push_back(line);
    else if (!paragraphs.back().empty())
      paragraphs.emplace_back();
  }
  if (paragraphs.back().empty()) paragraphs.pop_back();
  return paragraphs;
}

// Columns and examples stand as they are, everything else may be filled.
bool stands_as_it_is(const Lines& paragraph) {
  if (paragraph.front().back() == ':') return true;
  for (const std::string& line : paragraph) {
    if (line.front() == ' ' || line.find("  ") != std::string::npos) return true;
  }
  return false;
}

// Text that the formatter fills, in short lines.
std::string filled(const std::string& text) {
  constexpr std::size_t kWidth = 60;  // of the text: escapes make it longer
  std::string result, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + word.size() >= kWidth) {
      result += text_line(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return result + text_line(line);
}

std::string unfilled(const Lines& lines) {
  std::string text = ".nf\n";
  for (const std::string& line : lines) text += text_line(line);
  return text + ".fi\n";
}

std::string paragraph_text(const Lines& paragraph) {
  return ".PP\n" +
         (stands_as_it_is(paragraph) ? unfilled(paragraph) : filled(fmt::format("{}", fmt::join(paragraph, " "))));
}

std::string option_text(const po::option_description& option) {
  const std::string parameter = option.format_parameter();
  const std::string short_name = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  const std::string long_name = option.canonical_display_name(po::command_line_style::allow_long);
  std::string names = fmt::format("\\fB{}\\fR", escaped(long_name));
  if (short_name != long_name && short_name.size() == 2)
    names = fmt::format("\\fB{}\\fR, {}", escaped(short_name), names);
  if (!parameter.empty()) names += fmt::format(" \\fI{}\\fR", escaped(parameter));
  return ".TP\n" + names + "\n" + filled(option.description());
}

// A table that an earlier command has shown already is not shown again.
class OptionTables {
 public:
  std::string text(const Manual& command) {
    std::string text;
    for (const po::options_description& table : command.options) {
      std::string entries;
      for (const auto& option : table.options()) entries += option_text(*option);
      const auto [known, is_new] = shown_.emplace(entries, command.name);
      if (is_new)
        text += entries;
      else
        text += fmt::format(".PP\nFurther options: the last ones of {}.\n", escaped(known->second));
    }
    return text;
  }

 private:
  std::map<std::string, std::string> shown_;  // entries -> command
};

constexpr std::string_view kUsagePrefix = "usage: ";

std::string usage_of(const Manual& command) {
  const std::string first = command.text.substr(0, command.text.find('\n'));
  return first.substr(kUsagePrefix.size());
}

std::string command_text(const Manual& command, OptionTables& tables) {
  std::string text = fmt::format(".SS {}\n{}", command.name, unfilled({usage_of(command)}));
  const std::size_t rest = command.text.find('\n');
  for (const Lines& paragraph : paragraphs_of(command.text.substr(rest))) text += paragraph_text(paragraph);
  text += tables.text(command);
  for (const Lines& paragraph : paragraphs_of(command.after)) text += ".PP\n" + unfilled(paragraph);
  return text;
}

}  // namespace

std::string manual_page(const ProgramManual& manual, const std::string& version, const std::string& date) {
  std::string page = fmt::format(".TH DVE\\-SIM 1 {} \"dve\\-tlm {}\"\n", date, version);
  page += fmt::format(".SH NAME\ndve\\-sim \\- {}\n", escaped(manual.summary));
  Lines usages;
  for (const Manual& command : manual.commands) usages.push_back(usage_of(command));
  page += ".SH SYNOPSIS\n" + unfilled(usages) + ".SH DESCRIPTION\n";
  page += filled(manual.about) + ".SH COMMANDS\n";
  OptionTables tables;
  for (const Manual& command : manual.commands) page += command_text(command, tables);
  page += ".SH EXIT STATUS\n" + filled(manual.exit_codes) + ".SH ENVIRONMENT\n";
  for (const Lines& paragraph : paragraphs_of(manual.environment)) page += unfilled(paragraph);
  return page;
}

}  // namespace dve::app
