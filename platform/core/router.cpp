#include "router.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace dve {
namespace {

std::size_t index_of(const std::vector<std::string>& names, const std::string& name, const char* kind) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument(std::string("router: no ") + kind + " named '" + name + "'");
  return static_cast<std::size_t>(found - names.begin());
}

const std::vector<std::string>& distinct(const std::vector<std::string>& names, const char* kind) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second)
      throw std::invalid_argument(std::string("router: two ") + kind + "s named '" + name + "'");
  }
  return names;
}

std::vector<std::string> names_of(const std::vector<PortRouter::Target>& targets) {
  std::vector<std::string> names;
  names.reserve(targets.size());
  for (const PortRouter::Target& target : targets) names.push_back(target.name);
  return distinct(names, "target");
}

void check_window(const PortRouter::Window& window, const std::string& target) {
  if (window.size == 0) throw std::invalid_argument("router: a window of target '" + target + "' has size 0");
  if (window.base > UINT64_MAX - (window.size - 1) || window.local > UINT64_MAX - (window.size - 1)) {
    throw std::invalid_argument("router: a window of target '" + target + "' wraps at 2^64");
  }
}

void refuse(tlm::tlm_dmi& dmi, const DmiRange& range) {
  dmi.set_dmi_ptr(nullptr);
  dmi.allow_none();
  dmi.set_start_address(range.first);
  dmi.set_end_address(range.last);
}

}  // namespace

// Gives the payload its local address for the length of a call.
class PortRouter::LocalAddress {
 public:
  LocalAddress(tlm::tlm_generic_payload& payload, const Route& route)
      : payload_(payload), address_(payload.get_address()) {
    payload_.set_address(route.to_local(address_));
  }
  ~LocalAddress() { payload_.set_address(address_); }
  LocalAddress(const LocalAddress&) = delete;
  LocalAddress& operator=(const LocalAddress&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  sc_dt::uint64 address_;
};

PortRouter::PortRouter(sc_core::sc_module_name module_name, const std::vector<std::string>& initiators,
                       const std::vector<Target>& targets)
    : sc_module(module_name),
      initiator_names_(distinct(initiators, "initiator")),
      target_names_(names_of(targets)),
      routes_(routes_of(targets)),
      from_("from"),
      to_("to") {
  from_.init(initiators.size(),
             [&](const char*, std::size_t i) { return new FromSocket(("from_" + initiator_names_[i]).c_str()); });
  to_.init(targets.size(),
           [&](const char*, std::size_t i) { return new ToSocket(("to_" + target_names_[i]).c_str()); });
  for (std::size_t i = 0; i < from_.size(); ++i) {
    from_[i].register_b_transport(this, &PortRouter::b_transport, static_cast<int>(i));
    from_[i].register_transport_dbg(this, &PortRouter::transport_dbg, static_cast<int>(i));
    from_[i].register_get_direct_mem_ptr(this, &PortRouter::get_direct_mem_ptr, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < to_.size(); ++i) {
    to_[i].register_invalidate_direct_mem_ptr(this, &PortRouter::invalidate_direct_mem_ptr, static_cast<int>(i));
  }
}

std::vector<PortRouter::Route> PortRouter::routes_of(const std::vector<Target>& targets) {
  std::vector<Route> routes;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (targets[t].windows.empty())
      throw std::invalid_argument("router: target '" + targets[t].name + "' has no window");
    for (const Window& window : targets[t].windows) {
      check_window(window, targets[t].name);
      routes.push_back({DmiRange::of(window.base, window.size), window.local, t});
    }
  }
  std::sort(routes.begin(), routes.end(), [](const Route& a, const Route& b) { return a.range.first < b.range.first; });
  for (std::size_t i = 1; i < routes.size(); ++i) {
    if (routes[i - 1].range.overlaps(routes[i].range)) {
      throw std::invalid_argument("router: windows of '" + targets[routes[i - 1].target].name + "' and '" +
                                  targets[routes[i].target].name + "' overlap");
    }
  }
  return routes;
}

PortRouter::FromSocket& PortRouter::from(const std::string& initiator) {
  return from_[index_of(initiator_names_, initiator, "initiator")];
}

PortRouter::ToSocket& PortRouter::to(const std::string& target) {
  return to_[index_of(target_names_, target, "target")];
}

// The window that holds all of the bytes, or null.
const PortRouter::Route* PortRouter::route(std::uint64_t address, std::uint64_t bytes) const {
  const auto next = std::upper_bound(routes_.begin(), routes_.end(), address,
                                     [](std::uint64_t a, const Route& r) { return a < r.range.first; });
  if (next == routes_.begin()) return nullptr;
  const Route& candidate = *(next - 1);
  return candidate.range.contains(address, bytes) ? &candidate : nullptr;
}

void PortRouter::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Route* way = route(payload.get_address(), address_span(payload));
  if (way == nullptr) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const LocalAddress scope(payload, *way);
  to_[way->target]->b_transport(payload, delay);
}

unsigned PortRouter::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  const bool tensor = payload.get_extension<TensorExtension>() != nullptr;
  const Route* way = route(payload.get_address(), tensor ? 1 : payload.get_data_length());
  if (way == nullptr) return 0;
  const LocalAddress scope(payload, *way);
  return to_[way->target]->transport_dbg(payload);
}

bool PortRouter::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const Route* way = route(address, 1);
  if (way == nullptr) {
    refuse(dmi, DmiRange::of(address, 1));
    return false;
  }
  bool granted = false;
  {
    const LocalAddress scope(payload, *way);
    granted = to_[way->target]->get_direct_mem_ptr(payload, dmi);
  }
  const DmiRange local{dmi.get_start_address(), dmi.get_end_address()};
  if (!local.contains(way->to_local(address))) {  // an answer about some other place says nothing
    refuse(dmi, DmiRange::of(address, 1));
    return false;
  }
  const DmiRange window = way->local_range();
  const std::uint64_t first = std::max(local.first, window.first);
  const std::uint64_t last = std::min(local.last, window.last);
  if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - local.first));
  dmi.set_start_address(way->from_local(first));
  dmi.set_end_address(way->from_local(last));
  return granted;
}

void PortRouter::invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last) {
  for (const Route& way : routes_) {
    const DmiRange window = way.local_range();
    if (way.target != static_cast<std::size_t>(target) || !window.overlaps({first, last})) continue;
    const std::uint64_t from = way.from_local(std::max<std::uint64_t>(first, window.first));
    const std::uint64_t to = way.from_local(std::min<std::uint64_t>(last, window.last));
    for (FromSocket& initiator : from_) initiator->invalidate_direct_mem_ptr(from, to);
  }
}

}  // namespace dve
