// What a beat on the ports carries beside its TensorExtension.
#pragma once

#include <tlm>

#include "dve/contention/contention.h"

namespace dve {

// The stream of a job that the beat belongs to. The arbiter keeps the streams' buffers in step through it, so that both
// abstractions decide with the same classes.
class BeatExtension : public tlm::tlm_extension<BeatExtension> {
 public:
  contention::Flow* flow = nullptr;
  contention::Stream* stream = nullptr;

  tlm::tlm_extension_base* clone() const override { return new BeatExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const BeatExtension&>(other); }
};

}  // namespace dve
