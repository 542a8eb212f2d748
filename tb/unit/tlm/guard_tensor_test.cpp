// Payloads with a tensor extension: what the guard lets through.
#include "recording_model.h"

namespace guard_tensor_test {

using namespace dve;
using namespace dve::test;
using tlm::TLM_ADDRESS_ERROR_RESPONSE;
using tlm::TLM_BURST_ERROR_RESPONSE;
using tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
using tlm::TLM_COMMAND_ERROR_RESPONSE;
using tlm::TLM_OK_RESPONSE;

struct Row {
  const char* what;
  tlm::tlm_response_status expected;
  std::function<void(Access&, TensorExtension&)> change;  // of a write at 40: 2 channels of 3 x 4 elements of 2 bytes
};

const std::vector<Row> kTable = {
    {"legal", TLM_OK_RESPONSE, [](Access&, TensorExtension&) {}},
    {"read", TLM_OK_RESPONSE, [](Access& a, TensorExtension&) { a.command = tlm::TLM_READ_COMMAND; }},
    {"ignore", TLM_OK_RESPONSE, [](Access& a, TensorExtension&) { a.command = tlm::TLM_IGNORE_COMMAND; }},
    {"packed data longer than the target", TLM_OK_RESPONSE,
     [](Access& a, TensorExtension& t) { t.channels = 128, a.data.resize(128 * 24); }},
    {"last address", TLM_OK_RESPONSE, [](Access& a, TensorExtension&) { a.address = 63; }},
    {"outside", TLM_ADDRESS_ERROR_RESPONSE, [](Access& a, TensorExtension&) { a.address = 64; }},
    {"far outside", TLM_ADDRESS_ERROR_RESPONSE, [](Access& a, TensorExtension&) { a.address = UINT64_MAX; }},
    {"no channel", TLM_BURST_ERROR_RESPONSE, [](Access& a, TensorExtension& t) { t.channels = 0, a.data.clear(); }},
    {"129 channels", TLM_BURST_ERROR_RESPONSE,
     [](Access& a, TensorExtension& t) { t.channels = 129, a.data.resize(129 * 24); }},
    {"element bytes 0", TLM_BURST_ERROR_RESPONSE,
     [](Access& a, TensorExtension& t) { t.element_bytes = 0, a.data.clear(); }},
    {"element bytes 3", TLM_BURST_ERROR_RESPONSE,
     [](Access& a, TensorExtension& t) { t.element_bytes = 3, a.data.resize(72); }},
    {"element bytes 1", TLM_OK_RESPONSE, [](Access& a, TensorExtension& t) { t.element_bytes = 1, a.data.resize(24); }},
    {"element bytes 4", TLM_OK_RESPONSE, [](Access& a, TensorExtension& t) { t.element_bytes = 4, a.data.resize(96); }},
    {"element bytes 8", TLM_OK_RESPONSE,
     [](Access& a, TensorExtension& t) { t.element_bytes = 8, a.data.resize(192); }},
    {"element bytes 16", TLM_BURST_ERROR_RESPONSE,
     [](Access& a, TensorExtension& t) { t.element_bytes = 16, a.data.resize(384); }},
    {"part of the stream", TLM_OK_RESPONSE,
     [](Access& a, TensorExtension& t) { t.first_element = 11, t.element_count = 1, a.data.resize(4); }},
    {"range past the stream", TLM_BURST_ERROR_RESPONSE, [](Access&, TensorExtension& t) { t.first_element = 1; }},
    {"range that wraps", TLM_BURST_ERROR_RESPONSE,
     [](Access&, TensorExtension& t) { t.first_element = UINT64_MAX - 5; }},
    {"empty range", TLM_BURST_ERROR_RESPONSE,
     [](Access& a, TensorExtension& t) { t.element_count = 0, a.data.clear(); }},
    {"count of 0 in the pattern", TLM_BURST_ERROR_RESPONSE,
     [](Access&, TensorExtension& t) { t.pattern.num_elem[2] = 0; }},
    {"length too small", TLM_BURST_ERROR_RESPONSE, [](Access& a, TensorExtension&) { a.data.resize(47); }},
    {"length too large", TLM_BURST_ERROR_RESPONSE, [](Access& a, TensorExtension&) { a.data.resize(49); }},
    {"product that would wrap to the length", TLM_BURST_ERROR_RESPONSE,
     [](Access& a, TensorExtension& t) {  // 2 * 2^62 * 2 = 2^64
       t.pattern.num_elem = {0x8000, 0x8000, 0x8000, 0xFFFF};
       t.element_count = std::uint64_t{1} << 60;
       t.channels = 2, t.element_bytes = 8, a.data.clear();
     }},
    {"streaming", TLM_BURST_ERROR_RESPONSE, [](Access& a, TensorExtension&) { a.streaming_width = 24; }},
    {"streaming width 0", TLM_BURST_ERROR_RESPONSE, [](Access& a, TensorExtension&) { a.streaming_width = 0; }},
    {"byte enables", TLM_BYTE_ENABLE_ERROR_RESPONSE,
     [](Access& a, TensorExtension&) { a.byte_enables = {TLM_BYTE_ENABLED}; }},
};

TensorExtension base_tensor() {
  TensorExtension t;
  t.pattern.num_elem = {3, 4, 1, 1};
  t.pattern.step_elem = {1, 3, 1, 1};
  t.element_bytes = 2;
  t.channels = 2;
  t.element_count = 12;
  return t;
}

TEST(GuardTensor, EveryRowOfTheTable) {
  RecordingModel model(64);
  TargetCapabilities c = bytes_64();
  c.tensors = true;
  TestTarget guard("in", model, c);
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  const WarningLog log;
  run_in_thread([&] {
    for (const Row& row : kTable) {
      SCOPED_TRACE(row.what);
      model.tensor_calls.clear();
      Access access = Access::write(40, Bytes(48));
      TensorExtension tensor = base_tensor();
      row.change(access, tensor);
      access.payload.set_extension(&tensor);
      EXPECT_EQ(tester.send(access), row.expected);
      const bool served = row.expected == TLM_OK_RESPONSE && access.command != tlm::TLM_IGNORE_COMMAND;
      EXPECT_EQ(model.tensor_calls, served ? std::vector<std::uint64_t>{access.address} : std::vector<std::uint64_t>{});
      EXPECT_EQ(tester.debug(access), served ? access.data.size() : 0u);
      EXPECT_TRUE(model.calls.empty());
      access.payload.clear_extension(&tensor);
    }
    EXPECT_TRUE(log.take().empty());
  });
}

TEST(GuardTensor, TargetsWithoutTensorsOrWithoutTheDirection) {
  RecordingModel plain(64), read_only(64);
  TargetCapabilities c = bytes_64();
  TestTarget plain_guard("plain", plain, c);
  c.tensors = true;
  c.writable = false;
  TestTarget read_only_guard("read_only", read_only, c);
  InitiatorTester a("a"), b("b");
  a.socket.bind(plain_guard.socket);
  b.socket.bind(read_only_guard.socket);
  run_in_thread([&] {
    TensorExtension tensor = base_tensor();
    Access access = Access::write(40, Bytes(48));
    access.payload.set_extension(&tensor);
    EXPECT_EQ(a.send(access), TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(b.send(access), TLM_COMMAND_ERROR_RESPONSE);
    access.command = tlm::TLM_READ_COMMAND;
    EXPECT_EQ(b.send(access), TLM_OK_RESPONSE);
    access.payload.clear_extension(&tensor);
    EXPECT_TRUE(plain.calls.empty());
    EXPECT_TRUE(plain.tensor_calls.empty());
    EXPECT_EQ(read_only.tensor_calls.size(), 1u);
  });
}

TEST(GuardTensor, ModelsDefaultRefusesTensors) {
  struct Plain : TargetModel {
    tlm::tlm_response_status access(const PlainAccess&, sc_core::sc_time&) override { return TLM_OK_RESPONSE; }
  } model;
  TargetCapabilities c = bytes_64();
  c.tensors = true;
  TestTarget guard("in", model, c);
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  run_in_thread([&] {
    TensorExtension tensor = base_tensor();
    Access access = Access::write(40, Bytes(48));
    access.payload.set_extension(&tensor);
    EXPECT_EQ(tester.send(access), TLM_COMMAND_ERROR_RESPONSE);
    access.payload.clear_extension(&tensor);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(tester.dmi(0, tlm::TLM_READ_COMMAND, dmi));
    EXPECT_EQ(tester.write(0, Bytes(4)), TLM_OK_RESPONSE);
  });
}

}  // namespace guard_tensor_test
