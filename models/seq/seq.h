// The door of the seq block: the sequencer of one engine and the semaphores and events that engines and host share.
#pragma once

#include "control_word.h"
#include "sequencer.h"
#include "sync_state.h"
#include "sync_unit.h"
