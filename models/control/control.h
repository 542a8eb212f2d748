// The door of the control block: semaphores and events, and the words that the sequencer executes itself.
#pragma once

#include "control_word.h"
#include "sync_state.h"
