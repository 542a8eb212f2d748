// The door of the page block: what a run or a sweep has left in its folder as one HTML page that needs nothing else.
// Plain C++: it runs nothing.
//
// Knows three kinds of folders: of `run` or `exec` (report.json), of `run WORKLOAD.json` (report.json with layers), and
// of `sweep` (sweep.csv and a report.json a point). What is said in words, ranked, or drawn as a front is worked out
// here; the page's script draws, sorts and filters.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "advice.h"
#include "comparison.h"
#include "csv.h"
#include "html.h"
#include "numbers.h"
#include "page_data.h"
#include "pareto.h"
#include "run.h"
#include "run_words.h"
#include "sensitivity.h"
#include "sweep_table.h"
#include "sweep_words.h"
#include "trade_off.h"

namespace dve::page {

// The whole page of `folder`, with `other` beside it when there is one. The same folders give the same bytes.
// layer::InputError names file, key, value and what was expected.
std::string page(const std::filesystem::path& folder, const std::optional<std::filesystem::path>& other);

}  // namespace dve::page
