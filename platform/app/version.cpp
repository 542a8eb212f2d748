#include "version.h"

#include "dve/sweep/sweep.h"

namespace dve::app {

std::string version() { return DVE_VERSION; }

std::string build() { return sweep::fingerprint("/proc/self/exe"); }

}  // namespace dve::app
