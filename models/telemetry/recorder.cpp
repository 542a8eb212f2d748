#include "recorder.h"

#include <string>
#include <string_view>
#include <utility>

#include "csv_recorder.h"
#include "perfetto_recorder.h"
#include "vcd_recorder.h"

namespace dve::telemetry {

std::optional<Format> format_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (const auto& [extension, format] : {std::pair<std::string_view, Format>{".json", Format::perfetto},
                                          {".json.gz", Format::perfetto_gzip},
                                          {".vcd", Format::vcd},
                                          {".csv", Format::csv}}) {
    if (name.size() >= extension.size() &&
        name.compare(name.size() - extension.size(), extension.size(), extension) == 0)
      return format;
  }
  return std::nullopt;
}

std::unique_ptr<Recorder> make_recorder(Format format, const std::filesystem::path& path, const Selection& selection) {
  switch (format) {
    case Format::perfetto:
      return std::make_unique<PerfettoRecorder>(path, Compression::none, selection);
    case Format::perfetto_gzip:
      return std::make_unique<PerfettoRecorder>(path, Compression::gzip, selection);
    case Format::vcd:
      return std::make_unique<VcdRecorder>(path, selection);
    case Format::csv:
      return std::make_unique<CsvRecorder>(path, selection);
  }
  return nullptr;
}

}  // namespace dve::telemetry
