// Who uses the memories' ports.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dve::contention {

// One client of the memories' arbiters. The tensor engine has five read and write clients, which a first arbitration
// stage reduces to one (microarchitecture.md 3.1); the 16 DMA engines share the DMA side of the wheel (5).
enum class User : std::uint8_t { dve, pool, act, pe0, pe1, pe2, pe3, pe4, dma0 };
inline constexpr std::size_t kPeClients = 5;
inline constexpr std::size_t kDmaEngines = 16;
inline constexpr std::size_t kUsers = 8 + kDmaEngines;

constexpr std::size_t index_of(User user) { return static_cast<std::size_t>(user); }
constexpr User pe_client(std::size_t k) { return static_cast<User>(index_of(User::pe0) + k); }
constexpr User dma_engine(std::size_t k) { return static_cast<User>(index_of(User::dma0) + k); }
constexpr bool is_pe(User user) { return user >= User::pe0 && user <= User::pe4; }
constexpr bool is_dma(User user) { return user >= User::dma0; }

std::string name(User user);  // "dve", "pe0", "dma15"
std::optional<User> user_from_name(std::string_view name);

// One bit a user.
using UserMask = std::uint32_t;
constexpr UserMask bit(User user) { return UserMask{1} << index_of(user); }
// Number of the lowest set bit of a mask that is not empty.
inline std::size_t lowest(std::uint32_t mask) { return static_cast<std::size_t>(__builtin_ctz(mask)); }
inline constexpr UserMask kPeMask = 0x1F << 3;
inline constexpr UserMask kDmaMask = ((UserMask{1} << kDmaEngines) - 1) << 8;

}  // namespace dve::contention
