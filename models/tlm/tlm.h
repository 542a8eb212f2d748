// The door of the tlm block: what every module shares. Socket guard, access extensions, DMI bookkeeping.
#pragma once

#include "dmi.h"
#include "guarded_target.h"
#include "initiator.h"
#include "issue_extension.h"
#include "payload_check.h"
#include "register_window.h"
#include "target_model.h"
#include "tensor_extension.h"
