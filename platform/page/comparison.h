// Two runs, or two sweeps, side by side: A and B.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "run.h"
#include "sweep_table.h"

namespace dve::page {

// Which takes longer and by how much, and which bucket of the main engine most of that is in, as time. Networks: the
// layer with the largest change as well.
std::vector<std::string> compare_sentences(const Run& a, const Run& b);

// Points of both sweeps with the same values of all axes, by their place in A and in B. layer::InputError names `file`,
// the table of B, when the axes are others or no point is in both.
std::vector<std::pair<std::size_t, std::size_t>> same_points(const SweepTable& a, const SweepTable& b,
                                                             const std::filesystem::path& file);

std::vector<std::string> compare_sentences(const SweepTable& a, const SweepTable& b,
                                           const std::vector<std::pair<std::size_t, std::size_t>>& pairs);

}  // namespace dve::page
