// The door of the seq block: the sequencer of one engine and the semaphores and events that engines and host share.
#pragma once

#include "sequencer.h"
#include "sync_unit.h"
