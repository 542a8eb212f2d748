// What a transfer or a stream waits for, as the semaphores' condition.
#pragma once

#include "dve/dma/dma.h"
#include "dve/seq/seq.h"

namespace dve {

inline WaitCondition condition_of(const dma::Wait& wanted) {
  return {isa::WaitMode::sem_ge_imm, static_cast<std::uint8_t>(isa::number(wanted.semaphore)),
          static_cast<std::int32_t>(wanted.at_least)};
}

}  // namespace dve
