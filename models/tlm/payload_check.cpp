#include "payload_check.h"

namespace dve {
namespace {

bool inside(std::uint64_t address, std::uint64_t length, std::uint64_t size) {
  return length <= size && address <= size - length;  // cannot overflow
}

bool direction_allowed(const TargetCapabilities& capabilities, const tlm::tlm_generic_payload& payload) {
  return payload.is_write() ? capabilities.writable : capabilities.readable;
}

// Address, command, length and alignment: what plain and debug accesses have in common.
tlm::tlm_response_status check_common(const TargetCapabilities& capabilities, const TargetModel& model,
                                      const tlm::tlm_generic_payload& payload, std::uint64_t span) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t length = payload.get_data_length();
  if (!inside(address, span, capabilities.size)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (span > 0 && !model.contains(address, span)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (!direction_allowed(capabilities, payload)) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (length == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (capabilities.exact_length != 0 && length != capabilities.exact_length) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (address % capabilities.alignment != 0 || length % capabilities.alignment != 0)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

bool streaming_legal(const TargetCapabilities& capabilities, const tlm::tlm_generic_payload& payload) {
  const std::uint64_t width = payload.get_streaming_width();
  if (width >= payload.get_data_length()) return true;
  return width != 0 && capabilities.streaming && capabilities.exact_length == 0 && width % capabilities.alignment == 0;
}

// Values other than "on" and "off" have no meaning in TLM-2.0; an aligned unit must be enabled or disabled as a whole,
// as the model is promised aligned accesses.
bool byte_enables_legal(const TargetCapabilities& capabilities, const tlm::tlm_generic_payload& payload) {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  if (enables == nullptr) return true;
  const std::uint64_t period = payload.get_byte_enable_length();
  if (period == 0 || !capabilities.byte_enables || capabilities.exact_length != 0) return false;
  for (std::uint64_t i = 0; i < period; ++i) {
    if (enables[i] != TLM_BYTE_ENABLED && enables[i] != TLM_BYTE_DISABLED) return false;
  }
  if (capabilities.alignment == 1) return true;
  for (std::uint64_t i = 0; i < payload.get_data_length(); ++i) {
    if (enables[i % period] != enables[(i - i % capabilities.alignment) % period]) return false;
  }
  return true;
}

bool tensor_shape_legal(const TensorExtension& tensor, std::uint64_t length) {
  const std::uint32_t bytes = tensor.element_bytes;
  if (tensor.channels < 1 || tensor.channels > isa::kPartitions) return false;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return false;
  if (!inside(tensor.first_element, tensor.element_count, tensor.pattern.count().value)) return false;
  // The count is held to the 32-bit length first: the product below cannot overflow then.
  return tensor.element_count > 0 && tensor.element_count <= length &&
         tensor.channels * tensor.element_count * bytes == length;
}

}  // namespace

std::uint64_t address_span(const tlm::tlm_generic_payload& payload) {
  if (payload.get_extension<TensorExtension>() != nullptr) return 1;
  const std::uint64_t length = payload.get_data_length();
  const std::uint64_t width = payload.get_streaming_width();
  return width == 0 ? length : std::min(width, length);
}

tlm::tlm_response_status check_plain(const TargetCapabilities& capabilities, const TargetModel& model,
                                     const tlm::tlm_generic_payload& payload) {
  const tlm::tlm_response_status common = check_common(capabilities, model, payload, address_span(payload));
  if (common != tlm::TLM_OK_RESPONSE) return common;
  if (!streaming_legal(capabilities, payload)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (!byte_enables_legal(capabilities, payload)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status check_debug(const TargetCapabilities& capabilities, const TargetModel& model,
                                     const tlm::tlm_generic_payload& payload) {
  return check_common(capabilities, model, payload, payload.get_data_length());
}

tlm::tlm_response_status check_tensor(const TargetCapabilities& capabilities, const tlm::tlm_generic_payload& payload,
                                      const TensorExtension& tensor) {
  if (!capabilities.tensors) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_address() >= capabilities.size) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (!direction_allowed(capabilities, payload)) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const std::uint64_t length = payload.get_data_length();
  if (!tensor_shape_legal(tensor, length)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace dve
