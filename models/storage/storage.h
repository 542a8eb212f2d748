// The door of the storage block: the bytes of memories.
#pragma once

#include "partition_bytes.h"
#include "poisoned_bytes.h"
