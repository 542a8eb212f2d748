#include "parameters.h"

#include "clock.h"

namespace dve::timing {

isa::Cycles Parameters::semaphore_latency() const { return Clock(clock_hz).cycles_of_ns(sem_ns); }

}  // namespace dve::timing
