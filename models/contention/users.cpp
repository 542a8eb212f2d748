#include "users.h"

namespace dve::contention {

std::string name(User user) {
  static constexpr std::array<const char*, 3> kEngines = {"dve", "pool", "act"};
  const std::size_t index = index_of(user);
  if (index < kEngines.size()) return kEngines[index];
  if (is_pe(user)) return "pe" + std::to_string(index - index_of(User::pe0));
  return "dma" + std::to_string(index - index_of(User::dma0));
}

std::optional<User> user_from_name(std::string_view text) {
  for (std::size_t k = 0; k < kUsers; ++k) {
    const auto user = static_cast<User>(k);
    if (name(user) == text) return user;
  }
  return std::nullopt;
}

}  // namespace dve::contention
