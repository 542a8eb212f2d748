#include "dve/layer/layer.h"
#include "memory_file.h"
#include "targets.h"

namespace dve::fuzz {

void npy(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  file.replace(data, size);
  layer::NpyArray array;
  try {
    array = layer::read_npy(file.path());
  } catch (const layer::InputError&) {
    return;
  }
  require(array.data.size() == array.count() * layer::element_bytes(array.type), "the data are what the shape says");
  require(array.data.size() < size, "the data stand in the file");
  if (layer::layer_dtype(array.type) || array.type == layer::NpyType::f8)
    require(layer::float_values(array).size() == array.count(), "every element has a value");
}

}  // namespace dve::fuzz
