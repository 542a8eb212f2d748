#include "memory_keys.h"

#include <fmt/format.h>

#include "key_makers.h"

namespace dve::config {
namespace {

using contention::SharedPort;
using contention::TdmPolicy;
using contention::User;

constexpr std::uint64_t kWidestPort = 65536;     // bytes
constexpr std::uint64_t kDeepestBuffer = 4096;   // beats
constexpr std::uint64_t kLongestWheel = 64;      // slots
constexpr std::uint64_t kLongestWindow = 65536;  // cycles
const char* const kArbiters = "microarchitecture.md 3.1";

template <class Field>
Key bytes(std::string name, Field field, std::uint64_t min, std::uint64_t max, std::string help, std::string source) {
  return integer(std::move(name), field, min, max, "bytes", std::move(help), std::move(source));
}

void add_shape_keys(std::vector<Key>& all) {
  Key clock = bare_number("memory.clock_mhz", 0, 10'000, "MHz",
                          "Clock of ports, banks and arbiters; 0: that of the fastest engine.",
                          "project choice; 1400 is documented for trn1 (microarchitecture.md 3.1)");
  clock.get = [](const Config& c) -> Value { return static_cast<double>(c.ports.clock_hz) / kHertzPerMegahertz; };
  clock.set = [](Config& c, const Value& value) {
    const double megahertz = std::get<double>(value);
    c.ports.clock_hz = static_cast<std::uint64_t>(std::llround(megahertz * kHertzPerMegahertz));
    if (megahertz > 0 && c.ports.clock_hz == 0)
      throw Error(fmt::format("memory.clock_mhz = {}: expected 0, or at least 1e-6", megahertz));
  };
  all.push_back(std::move(clock));
  all.push_back(bytes("memory.port_bytes", DVE_FIELD(ports.port_bytes.value), 1, kWidestPort,
                      "Bytes of each partition that a port moves in a cycle, a beat; a wider element is one beat.",
                      kArbiters));
  all.push_back(integer("memory.buffer_beats", DVE_FIELD(ports.buffer_beats), 1, kDeepestBuffer, "beats",
                        "Depth of each stream's read-ahead or write buffer.", "project choice"));
  all.push_back(bytes("memory.sbuf_bank_bytes", DVE_FIELD(ports.sbuf_bank_bytes.value), 1024, 1 << 20,
                      "Bytes of one partition that share an SBUF bank.", kArbiters));
  all.push_back(bytes("memory.psum_bank_bytes", DVE_FIELD(ports.psum_bank_bytes.value), 256, 1 << 20,
                      "Bytes of one partition that share a PSUM bank.", "microarchitecture.md 4"));
}

void add_policy_keys(std::vector<Key>& all) {
  all.push_back(choice<TdmPolicy>(
      "memory.tdm", DVE_FIELD(ports.tdm.policy),
      {{"work_conserving", TdmPolicy::work_conserving}, {"strict", TdmPolicy::strict}, {"none", TdmPolicy::none}},
      "Time-division wheel between DMA and compute: unused slots go to the other side, or "
      "stay unused, or there is no wheel.",
      kArbiters));
  all.push_back(integer("memory.tdm_slots", DVE_FIELD(ports.tdm.slots), 2, kLongestWheel, "slots",
                        "Slots of the wheel.", kArbiters));
  all.push_back(integer("memory.tdm_dma_slots", DVE_FIELD(ports.tdm.dma_slots), 0, kLongestWheel - 1, "slots",
                        "Slots of the wheel that belong to DMA.", kArbiters));
  all.push_back(choice<SharedPort>("memory.sbuf_shared", DVE_FIELD(ports.sbuf_shared),
                                   {{"none", SharedPort::none},
                                    {"hold", SharedPort::hold},
                                    {"rotate", SharedPort::rotate},
                                    {"exclusive", SharedPort::exclusive}},
                                   "How DVE and POOL share their path to SBUF: not at all, until a bank grants, by "
                                   "turns, or one instruction at a time.",
                                   "microarchitecture.md 3.1 and 11"));
  all.push_back(choice<SharedPort>("memory.psum_shared", DVE_FIELD(ports.psum_shared),
                                   {{"none", SharedPort::none}, {"exclusive", SharedPort::exclusive}},
                                   "DVE and ACT on PSUM: together, or one instruction at a time.",
                                   "microarchitecture.md 4"));
}

// A field of the parameters of several users, which have the same.
template <class Member>
auto of_users(std::vector<User> users, Member member) {
  return std::pair{[users, member](const Config& c) -> Value {
                     return std::uint64_t{member(c.ports.users[contention::index_of(users.front())])};
                   },
                   [users, member](Config& c, const Value& value) {
                     for (const User user : users)
                       member(c.ports.users[contention::index_of(user)]) =
                           static_cast<std::uint32_t>(std::get<std::uint64_t>(value));
                   }};
}

template <class Member>
Key of_user(const std::string& name, const std::vector<User>& users, Member member, std::uint64_t min,
            std::uint64_t max, const char* unit, const char* help) {
  Key key = integer(name, DVE_FIELD(ports.buffer_beats), min, max, unit, help, kArbiters);
  std::tie(key.get, key.set) = of_users(users, member);
  return key;
}

void add_user_keys(std::vector<Key>& all, const std::string& name, const std::vector<User>& users, bool throttled) {
  const std::string prefix = "memory." + name + ".";
  all.push_back(of_user(
      prefix + "priority", users, [](auto& u) -> auto& { return u.priority; }, 0, 7, "",
      "Priority at the banks; the highest wins."));
  all.push_back(of_user(
      prefix + "weight", users, [](auto& u) -> auto& { return u.weight; }, 1, 15, "beats",
      "Beats in a row before the round robin moves on."));
  if (!throttled) return;
  all.push_back(of_user(
      prefix + "read_window", users, [](auto& u) -> auto& { return u.read.window; }, 0, kLongestWindow, "cycles",
      "Window of the read throttle; 0: none."));
  all.push_back(of_user(
      prefix + "read_beats", users, [](auto& u) -> auto& { return u.read.beats; }, 0, kLongestWindow, "beats",
      "Reads granted in a window."));
  all.push_back(of_user(
      prefix + "write_window", users, [](auto& u) -> auto& { return u.write.window; }, 0, kLongestWindow, "cycles",
      "Window of the write throttle; 0: none."));
  all.push_back(of_user(
      prefix + "write_beats", users, [](auto& u) -> auto& { return u.write.beats; }, 0, kLongestWindow, "beats",
      "Writes granted in a window."));
}

}  // namespace

void add_memory_keys(std::vector<Key>& all) {
  add_shape_keys(all);
  add_policy_keys(all);
  for (const User user : {User::dve, User::pool, User::act}) add_user_keys(all, contention::name(user), {user}, true);
  all.push_back(integer("memory.pe.priority", DVE_FIELD(ports.pe_priority), 0, 7, "",
                        "Priority of the tensor engine's winner at the banks.", kArbiters));
  all.push_back(integer("memory.pe.weight", DVE_FIELD(ports.pe_weight), 1, 15, "beats",
                        "Beats in a row of the tensor engine before the round robin moves on.", kArbiters));
  for (std::size_t k = 0; k < contention::kPeClients; ++k)
    add_user_keys(all, contention::name(contention::pe_client(k)), {contention::pe_client(k)}, false);
  std::vector<User> dma;
  for (std::size_t k = 0; k < contention::kDmaEngines; ++k) dma.push_back(contention::dma_engine(k));
  add_user_keys(all, "dma", dma, true);
}

}  // namespace dve::config
