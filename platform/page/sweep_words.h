// A sweep in words: how it ended, its best point, what time hangs on, the Pareto front, what bounds its points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sensitivity.h"
#include "sweep_table.h"
#include "trade_off.h"

namespace dve::page {

std::vector<std::string> sentences(const SweepTable& table, const std::vector<Sensitivity>& sensitivities,
                                   const std::optional<TradeOff>& trade_off);

// "place.x = psum, dtype = bf16" of one point.
std::string values_text(const SweepTable& table, std::size_t point);

}  // namespace dve::page
