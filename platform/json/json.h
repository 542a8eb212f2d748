// The door of the json block: JSON documents whose errors name file, key, value and what was expected. Plain C++.
#pragma once

#include "json_node.h"
