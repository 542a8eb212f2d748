#include "dve/runtime/runtime.h"
#include "memory_file.h"
#include "targets.h"

namespace dve::fuzz {

void program_json(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  file.replace(data, size);
  runtime::ProgramDescription description;
  try {
    description = runtime::read_description(file.path());
  } catch (const layer::InputError& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.find('\n') == std::string_view::npos, "an error is one line");
    return;
  }
  require(description.words > 0, "a program has words");
  require(!description.program.passes.empty(), "a program has passes");
  runtime::layer_options(description);
}

}  // namespace dve::fuzz
