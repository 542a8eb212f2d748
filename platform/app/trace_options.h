// --trace and what goes with it, as values.
#pragma once

#include <boost/program_options.hpp>
#include <filesystem>
#include <vector>

#include "dve/telemetry/telemetry.h"

namespace dve::app {

struct CommonOptions;

struct TraceOptions {
  struct File {
    std::filesystem::path path;
    telemetry::Format format = telemetry::Format::perfetto;
  };
  std::vector<File> files;  // empty: nothing is traced
  telemetry::Selection selection;
};

void add_trace_options(boost::program_options::options_description& options);

// UsageError: another extension, a window, filter or limit that means nothing or is given without --trace.
TraceOptions trace_options(const boost::program_options::variables_map& values);

// UsageError when a trace would overwrite another trace, one of `others`, the configuration, the profile, or a result
// in the folder of --out.
void check_traces_apart(const CommonOptions& common, const std::vector<std::filesystem::path>& others,
                        const std::vector<std::filesystem::path>& outputs = {});

}  // namespace dve::app
