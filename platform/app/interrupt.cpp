#include "interrupt.h"

#include <unistd.h>

#include <csignal>

#include "exit_codes.h"

namespace dve::app {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void on_signal(int) {
  if (g_interrupted != 0) _exit(kInterrupted);
  g_interrupted = 1;
}

}  // namespace

void install_interrupt_handler() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // A pipe without reader, a file over its limit: the write fails with an error that is reported.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return g_interrupted != 0; }

}  // namespace dve::app
