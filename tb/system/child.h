// SystemC elaborates once a process: several simulations in one test are processes of their own.
#pragma once

#include <functional>
#include <string>

namespace dve::testing_support {

// What `body` returns, computed in a forked process; what it throws, or how the process ended otherwise, as text. To be
// called before anything is elaborated.
std::string in_child(const std::function<std::string()>& body);

}  // namespace dve::testing_support
