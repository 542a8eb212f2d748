#include "finding.h"

namespace dve::pins {

std::string Finding::text() const {
  return channel + " breaks " + rule + " in cycle " + std::to_string(cycle) + " after " + std::to_string(beat) +
         " beats";
}

}  // namespace dve::pins
