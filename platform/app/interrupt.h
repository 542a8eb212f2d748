// Ctrl-C: the simulation ends at the next word, results so far are kept, exit code 130.
#pragma once

namespace dve::app {

// Installs the handler of SIGINT and SIGTERM. A second signal ends the process at once, with the same exit code.
void install_interrupt_handler();
bool interrupted();

}  // namespace dve::app
