// What elements cost on the golden library, whole words and element by element.
#pragma once

namespace dve::bench {

void add_golden_subjects();

}  // namespace dve::bench
