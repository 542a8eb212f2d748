#include "sweep_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>

#include "csv.h"
#include "dve/json/json.h"
#include "dve/layer/layer.h"
#include "run.h"

namespace dve::page {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kHead = {"point", "status", "reason"};

// The columns behind the axes.
std::vector<std::string> results() {
  std::vector<std::string> names = {"cycles", "time_ns", "bottleneck", "instructions"};
  for (const std::string_view bucket : kBuckets) names.push_back(fmt::format("dve_{}", bucket));
  names.insert(names.end(), {"max_rel", "mismatches"});
  return names;
}

// Decimal, whatever the locale; none for anything else.
std::optional<double> number_of(const std::string& cell) {
  if (cell.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  std::istringstream stream(cell);
  stream.imbue(std::locale::classic());
  double value = 0;
  if (!(stream >> value) || stream.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
  return value;
}

void find_numbers(Column& column) {
  std::size_t found = 0, filled = 0;
  for (const std::string& cell : column.cells) {
    const std::optional<double> number = number_of(cell);
    const bool not_finite = cell == "nan" || cell == "inf" || cell == "-inf";
    column.numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    filled += cell.empty() || not_finite ? 0 : 1;
    found += number ? 1 : 0;
  }
  column.numeric = found != 0 && found == filled;
  if (!column.numeric) column.numbers.clear();
}

void expect_columns(const std::vector<std::string>& head, const fs::path& file) {
  const std::vector<std::string> tail = results();
  const bool fits = head.size() >= kHead.size() + tail.size() && std::equal(kHead.begin(), kHead.end(), head.begin()) &&
                    std::equal(tail.rbegin(), tail.rend(), head.rbegin());
  if (!fits)
    throw layer::InputError(fmt::format("{}: the first line is '{}', expected '{}', the axes, '{}'", file.string(),
                                        fmt::join(head, ","), fmt::join(kHead, ","), fmt::join(tail, ",")));
}

// Results are numbers or empty; anything else would end as a wrong chart.
void expect_numbers(const SweepTable& table, const fs::path& file) {
  for (const std::string& name : results()) {
    const Column& column = table.column(name);
    for (std::size_t k = 0; name != "bottleneck" && k < column.cells.size(); ++k) {
      const std::string& cell = column.cells[k];
      const bool allowed = cell.empty() || number_of(cell) || (name == "max_rel" && (cell == "nan" || cell == "inf"));
      if (!allowed)
        throw layer::InputError(
            fmt::format("{}: {} of line {} is '{}', expected a number or nothing", file.string(), name, k + 2, cell));
    }
  }
}

// Of sweep.json: what the sweep is called and how many points it has.
void read_identity(const fs::path& file, SweepTable& table) {
  const json::Json document = json::parse_json(file);
  const json::JsonNode node(document, file, "");
  const json::JsonNode schema = node.at("schema");
  if (schema.value() != 1) schema.fail("1, the schema that this version reads");
  table.expected = node.at("points").integer(1, std::uint64_t{1} << 53);
  const json::JsonNode sweep = node.at("sweep");
  if (sweep.has("name")) table.name = sweep.at("name").text();
}

}  // namespace

const Column& SweepTable::column(const std::string& wanted) const {
  if (std::find(kHead.begin(), kHead.end(), wanted) != kHead.end())
    return *std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == wanted; });
  // From behind: an axis may be called as a result is.
  return *std::find_if(columns.rbegin(), columns.rend(), [&](const Column& c) { return c.name == wanted; });
}

bool SweepTable::timed(std::size_t point) const {
  const std::string& status = column("status").cells[point];
  const Column& time = column("time_ns");
  return (status == "ok" || status == "compare_failed") && time.numeric && time.numbers[point] > 0;
}

SweepTable sweep_table_of(const std::string& csv, const fs::path& file) {
  const std::vector<std::vector<std::string>> rows = parse_csv(csv, file);
  if (rows.empty()) throw layer::InputError(fmt::format("{}: is empty, expected the table of a sweep", file.string()));
  expect_columns(rows.front(), file);
  if (rows.size() < 2) throw layer::InputError(fmt::format("{}: has no points, expected one at least", file.string()));
  SweepTable table;
  table.axes = rows.front().size() - kHead.size() - results().size();
  table.expected = rows.size() - 1;
  for (std::size_t c = 0; c < rows.front().size(); ++c) {
    Column column;
    column.name = rows.front()[c];
    for (std::size_t r = 1; r < rows.size(); ++r) column.cells.push_back(rows[r][c]);
    find_numbers(column);
    table.columns.push_back(std::move(column));
  }
  expect_numbers(table, file);
  return table;
}

SweepTable read_sweep(const fs::path& folder) {
  const fs::path file = folder / "sweep.csv";
  std::error_code error;
  if (!fs::exists(file, error))
    throw layer::InputError(
        fmt::format("{}: there is none, expected the table that a sweep writes at its end; `dve-sim sweep --resume` "
                    "goes on with it",
                    file.string()));
  const std::vector<std::uint8_t> bytes = layer::read_file(file);
  SweepTable table = sweep_table_of({bytes.begin(), bytes.end()}, file);
  read_identity(folder / "sweep.json", table);
  return table;
}

}  // namespace dve::page
