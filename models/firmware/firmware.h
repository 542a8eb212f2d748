// The door of the firmware block: what is known of the engines' firmware. Images and dispatch tables, which opcodes an
// engine handles, fault records, notifications. Plain C++: no SystemC, no time.
#pragma once

#include "dispatch.h"
#include "fault_record.h"
#include "firmware_image.h"
#include "notification.h"
#include "program_check.h"
