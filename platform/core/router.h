// The port router: address decoding between the initiators and the targets of a core.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: the address decoding in front of a NeuronCore's memories and registers (isa.md 2.1 and 3).
// Keeps: nothing but the windows. Addresses are rewritten to the target's local ones on the way in and restored on the
// way back; DMI grants are narrowed to the window, and invalidations are translated back for every window of the target
// and sent to every initiator. Time: none of its own, it passes the delay on. Does not model: arbitration, bandwidth;
// non-blocking calls are turned into blocking ones by the sockets. Answers ADDRESS_ERROR itself (debug: 0 bytes, DMI:
// refused) where no window lies or the access crosses a window's end. Tensor payloads are routed by their start address
// alone (see address_span): their target checks where they lead.
class PortRouter : public sc_core::sc_module {
 public:
  // Initiator addresses [base, base + size) are the target's [local, local + size).
  struct Window {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint64_t local = 0;
  };
  // Several windows of one target are aliases of each other where their local ranges overlap.
  struct Target {
    std::string name;
    std::vector<Window> windows;
  };
  using FromSocket = tlm_utils::simple_target_socket_tagged<PortRouter>;
  using ToSocket = tlm_utils::simple_initiator_socket_tagged<PortRouter>;

  // Throws std::invalid_argument that names the targets: overlapping windows, a window that is empty or wraps at 2^64,
  // a target without windows, a name given twice.
  PortRouter(sc_core::sc_module_name name, const std::vector<std::string>& initiators,
             const std::vector<Target>& targets);

  // The socket for an initiator or a target, by the name given to the constructor; std::invalid_argument for others.
  FromSocket& from(const std::string& initiator);
  ToSocket& to(const std::string& target);

 private:
  struct Route {
    DmiRange range;  // initiator addresses
    std::uint64_t local = 0;
    std::size_t target = 0;
    std::uint64_t to_local(std::uint64_t address) const { return address - range.first + local; }
    std::uint64_t from_local(std::uint64_t address) const { return address - local + range.first; }
    DmiRange local_range() const { return {local, local + (range.last - range.first)}; }
  };
  class LocalAddress;
  static std::vector<Route> routes_of(const std::vector<Target>& targets);
  const Route* route(std::uint64_t address, std::uint64_t bytes) const;

  void b_transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last);

  std::vector<std::string> initiator_names_;
  std::vector<std::string> target_names_;
  std::vector<Route> routes_;  // sorted by range.first, disjoint
  sc_core::sc_vector<FromSocket> from_;
  sc_core::sc_vector<ToSocket> to_;
};

}  // namespace dve
