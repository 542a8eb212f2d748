#include "dve/page/page.h"

#include <string>

#include "dve/layer/layer.h"
#include "memory_file.h"
#include "targets.h"

namespace dve::fuzz {
namespace {

void run_page(const MemoryFile& file) {
  const page::Run run = page::read_run(file.path());
  require(!page::sentences(run).empty(), "there is something to say of every run");
  page::html_of({{"title", "run"}, {"summary", page::sentences(run)}, {"run", page::run_data(run)}});
  page::compare_sentences(run, run);
}

void sweep_page(const std::string& csv, const MemoryFile& file) {
  const page::SweepTable table = page::sweep_table_of(csv, file.path());
  const std::vector<page::Sensitivity> list = page::sensitivities(table);
  const std::optional<page::TradeOff> trade = page::trade_off(table, list);
  require(!page::sentences(table, list, trade).empty(), "there is something to say of every sweep");
  for (const page::Sensitivity& s : list) require(s.share >= 0 && s.share <= 1, "a share is a part of a whole");
  page::html_of({{"title", "sweep"}, {"columns", page::columns_data(table)}, {"list", page::sensitivity_data(list)}});
  require(page::same_points(table, table, file.path()).size() == table.points(), "a sweep has the points of itself");
}

}  // namespace

void page(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  file.replace(data, size);
  try {
    if (size > 0 && data[0] == '{')
      run_page(file);
    else
      sweep_page({data, data + size}, file);
  } catch (const layer::InputError& error) {
    const std::string_view message = error.what();
    require(!message.empty(), "an error says something");
  }
}

}  // namespace dve::fuzz
