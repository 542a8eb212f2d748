#include "guarded_target.h"

#include <exception>
#include <stdexcept>

#include "payload_check.h"

namespace dve {
namespace {

bool called_from_thread() {
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_curr_process_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

// What the caller did wrong, or null.
const char* entry_violation(const tlm::tlm_generic_payload& payload) {
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    return "response status is not INCOMPLETE on entry";
  const bool moves_data = payload.is_read() || payload.is_write();
  if (moves_data && payload.get_data_ptr() == nullptr && payload.get_data_length() > 0) return "data pointer is null";
  if (!called_from_thread()) return "b_transport called from outside a thread process";
  return nullptr;
}

// What a target must leave as it was.
struct Before {
  explicit Before(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& given_delay)
      : address(payload.get_address()),
        command(payload.get_command()),
        length(payload.get_data_length()),
        delay(given_delay),
        local_time(sc_core::sc_time_stamp() + given_delay) {}

  // What the model did wrong, or null.
  const char* violation(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay_after) const {
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) return "the model left the response INCOMPLETE";
    if (payload.get_address() != address) return "the model changed the address";
    if (payload.get_command() != command) return "the model changed the command";
    if (payload.get_data_length() != length) return "the model changed the length";
    if (sc_core::sc_time_stamp() + delay_after < local_time) return "the model went back in time";
    return nullptr;
  }
  void restore(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay_after) const {
    payload.set_address(address);
    payload.set_command(command);
    payload.set_data_length(length);
    if (sc_core::sc_time_stamp() + delay_after < local_time) delay_after = delay;
  }

  sc_dt::uint64 address;
  tlm::tlm_command command;
  unsigned length;
  sc_core::sc_time delay;
  sc_core::sc_time local_time;
};

}  // namespace

tlm::tlm_response_status TargetModel::tensor_access(bool, std::uint64_t, const TensorExtension&, std::uint8_t*,
                                                    sc_core::sc_time&) {
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}
bool TargetModel::transport(tlm::tlm_generic_payload&, sc_core::sc_time&) { return false; }
bool TargetModel::contains(std::uint64_t, std::uint64_t) const { return true; }
bool TargetModel::offers_dmi() const { return false; }
bool TargetModel::dmi(std::uint64_t, DmiRange&, std::uint8_t*&) { return false; }

GuardedTarget::GuardedTarget(const std::string& name, TargetModel& model, const TargetCapabilities& capabilities)
    : socket(name.c_str()), model_(model), capabilities_(capabilities) {
  if (capabilities_.alignment == 0) {
    throw std::invalid_argument(std::string(socket.name()) + ": alignment is 0, expected at least 1");
  }
  socket.register_b_transport(this, &GuardedTarget::b_transport);
  socket.register_transport_dbg(this, &GuardedTarget::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &GuardedTarget::get_direct_mem_ptr);
}

void GuardedTarget::invalidate_dmi(const DmiRange& range) {
  if (socket.get_base_port().size() == 0) return;
  socket->invalidate_direct_mem_ptr(range.first, range.last);
}

void GuardedTarget::violation(tlm::tlm_generic_payload& payload, const std::string& what) {
  payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  SC_REPORT_WARNING("/dve/tlm/guard", (std::string(socket.name()) + ": " + what).c_str());
}

void GuardedTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (const char* wrong = entry_violation(payload)) {
    violation(payload, wrong);
    return;
  }
  if (!payload.is_read() && !payload.is_write()) {  // IGNORE
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  const Before before(payload, delay);
  try {
    serve(payload, delay);
  } catch (const sc_core::sc_unwind_exception&) {
    throw;  // the kernel is ending the calling thread
  } catch (const std::exception& error) {
    before.restore(payload, delay);
    violation(payload, std::string("the model threw: ") + error.what());
    return;
  }
  if (const char* wrong = before.violation(payload, delay)) {
    before.restore(payload, delay);
    violation(payload, wrong);
  }
}

void GuardedTarget::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto* tensor = payload.get_extension<TensorExtension>();
  tlm::tlm_response_status status =
      tensor ? check_tensor(capabilities_, payload, *tensor) : check_plain(capabilities_, model_, payload);
  if (status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
  } else if (tensor) {
    payload.set_response_status(
        model_.tensor_access(payload.is_write(), payload.get_address(), *tensor, payload.get_data_ptr(), delay));
  } else {
    serve_plain(payload, delay);
  }
  payload.set_dmi_allowed(payload.is_response_ok() && model_.offers_dmi());
}

void GuardedTarget::serve_plain(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (model_.transport(payload, delay)) return;
  payload.set_response_status(for_each_run(payload, [&](const Run& run) {
    return model_.access({payload.is_write(), run.address, payload.get_data_ptr() + run.data_offset, run.length, false},
                         delay);
  }));
}

unsigned GuardedTarget::transport_dbg(tlm::tlm_generic_payload& payload) {
  const bool moves_data = payload.is_read() || payload.is_write();
  if (!moves_data || payload.get_data_ptr() == nullptr || payload.get_data_length() == 0) return 0;
  try {
    return debug_access(payload) ? payload.get_data_length() : 0;
  } catch (const std::exception&) {
    return 0;
  }
}

bool GuardedTarget::debug_access(tlm::tlm_generic_payload& payload) {
  sc_core::sc_time no_time;
  if (const auto* tensor = payload.get_extension<TensorExtension>()) {
    return check_tensor(capabilities_, payload, *tensor) == tlm::TLM_OK_RESPONSE &&
           model_.tensor_access(payload.is_write(), payload.get_address(), *tensor, payload.get_data_ptr(), no_time) ==
               tlm::TLM_OK_RESPONSE;
  }
  return check_debug(capabilities_, model_, payload) == tlm::TLM_OK_RESPONSE &&
         model_.access(
             {payload.is_write(), payload.get_address(), payload.get_data_ptr(), payload.get_data_length(), true},
             no_time) == tlm::TLM_OK_RESPONSE;
}

bool GuardedTarget::grant(const tlm::tlm_generic_payload& payload, DmiRange& range, std::uint8_t*& pointer) {
  const std::uint64_t address = payload.get_address();
  range = DmiRange::of(address, 1);
  if (address >= capabilities_.size) return false;
  DmiRange found = DmiRange::of(0, capabilities_.size);
  if (!model_.offers_dmi() || !(payload.is_write() ? capabilities_.writable : capabilities_.readable)) {
    range = found;
    return false;
  }
  if (!model_.dmi(address, found, pointer) || pointer == nullptr || !found.contains(address)) return false;
  range = found;
  return true;
}

bool GuardedTarget::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  DmiRange range;
  std::uint8_t* pointer = nullptr;
  bool granted = false;
  try {
    granted = grant(payload, range, pointer);
  } catch (const std::exception&) {
    granted = false;
  }
  dmi.set_dmi_ptr(granted ? pointer : nullptr);
  dmi.set_start_address(range.first);
  dmi.set_end_address(range.last);
  dmi.allow_none();
  if (granted) {
    if (capabilities_.readable) dmi.allow_read();
    if (capabilities_.writable) dmi.allow_write();
    if (capabilities_.readable && capabilities_.writable) dmi.allow_read_write();
  }
  return granted;
}

}  // namespace dve
