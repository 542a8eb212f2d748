#include "port_time.h"

#include "dve/tlm/tlm.h"

namespace dve {

void wait_until(const timing::Clock& clock, std::int64_t cycle) {
  const std::uint64_t moment = clock.femtoseconds(isa::Cycles(static_cast<std::uint64_t>(cycle)));
  if (moment > now_femtoseconds()) sc_core::wait(until_femtoseconds(moment));
}

}  // namespace dve
