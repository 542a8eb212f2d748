// --record of `dve-sim exec`: a run as a stimulus file for a test bench (docs/stimulus.md).
#pragma once

#include <optional>
#include <string>

#include "dve/core/core.h"
#include "dve/record/record.h"

namespace dve::app {

class Recording {
 public:
  // Does nothing when `file` is empty. UsageError: tasks whose order of events is not defined, which are those of
  // several engines and of DMA. layer::OutputError: the file cannot be written.
  Recording(const std::string& file, const config::Config& settings, const HostTasks& tasks);

  // Null without a file.
  record::Recorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }
  // However the run ended. layer::OutputError with the first failure; there is no file then.
  void finish(RunStatus status, Host& host);

 private:
  std::optional<record::Recorder> recorder_;
};

}  // namespace dve::app
