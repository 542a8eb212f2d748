#include "dve/workload/workload.h"

#include "memory_file.h"
#include "targets.h"

namespace dve::fuzz {

void workload(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  file.replace(data, size);
  workload::Workload workload;
  try {
    workload = workload::read_workload(file.path());
  } catch (const layer::InputError& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.find('\n') == std::string_view::npos, "an error is one line");
    return;
  }
  require(workload.layer_count() >= workload.layers.size(), "every layer occurs");
  layer::LayerOptions shapes;
  shapes.contents = false;
  for (std::size_t k = 0; k < workload.layers.size(); ++k) {
    if (!workload.layers[k].data.empty()) continue;
    const layer::Layer layer = workload::make_layer(workload, k, shapes);
    require(layer.channels >= 1 && layer.elements >= workload.batch, "a layer has elements");
  }
}

}  // namespace dve::fuzz
