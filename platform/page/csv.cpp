#include "csv.h"

#include <fmt/format.h>

#include "dve/layer/layer.h"

namespace dve::page {
namespace {

class Parser {
 public:
  Parser(const std::string& text, const std::filesystem::path& file) : text_(text), file_(file) {}

  std::vector<std::vector<std::string>> rows() {
    std::vector<std::vector<std::string>> rows;
    while (position_ < text_.size()) {
      const std::size_t line = line_;
      rows.push_back(row());
      if (rows.back().size() != rows.front().size())
        fail(line, fmt::format("{} cells, expected {} as in the first line", rows.back().size(), rows.front().size()));
    }
    return rows;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw layer::InputError(fmt::format("{}: line {} has {}", file_.string(), line, what));
  }

  bool at_end_of_cell() const {
    return position_ == text_.size() || text_[position_] == ',' || text_[position_] == '\n' ||
           text_.compare(position_, 2, "\r\n") == 0;
  }

  std::vector<std::string> row() {
    std::vector<std::string> cells;
    do cells.push_back(cell());
    while (position_ < text_.size() && text_[position_++] == ',');
    return cells;
  }

  // Leaves the position at the comma, the LF, or the end.
  std::string cell() {
    std::string value;
    if (position_ < text_.size() && text_[position_] == '"') {
      value = quoted();
      if (!at_end_of_cell()) fail(line_, "text behind a closing quote, expected a comma or the end of the line");
    } else {
      for (; !at_end_of_cell(); ++position_) {
        if (text_[position_] == '"') fail(line_, "a quote inside a cell, expected the whole cell in quotes");
        value += text_[position_];
      }
    }
    if (position_ < text_.size() && text_[position_] == '\r') ++position_;
    if (position_ < text_.size() && text_[position_] == '\n') ++line_;
    return value;
  }

  std::string quoted() {
    const std::size_t line = line_;
    std::string value;
    for (++position_;; ++position_) {
      if (position_ == text_.size()) fail(line, "a quote that is never closed, expected another one");
      if (text_[position_] == '\n') ++line_;
      if (text_[position_] != '"') {
        value += text_[position_];
      } else if (text_.compare(position_, 2, "\"\"") == 0) {
        value += '"';
        ++position_;
      } else {
        ++position_;
        return value;
      }
    }
  }

  const std::string& text_;
  const std::filesystem::path& file_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::vector<std::vector<std::string>> parse_csv(const std::string& text, const std::filesystem::path& file) {
  return Parser(text, file).rows();
}

}  // namespace dve::page
