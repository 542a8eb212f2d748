// A golden in a test: what the C functions say, with GoogleTest failures where a call fails that a test takes for
// granted.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dve_golden.h"
#include "support/words.h"

namespace dve::golden_tests {

class Golden {
 public:
  explicit Golden(const std::string& config = "cayman", const std::vector<std::string>& settings = {},
                  std::uint64_t host_bytes = 0) {
    std::vector<const char*> texts;
    for (const std::string& setting : settings) texts.push_back(setting.c_str());
    char error[512] = "";
    handle_ = dve_golden_create(config.c_str(), texts.data(), texts.size(), host_bytes, error, sizeof error);
    if (handle_ == nullptr) throw std::runtime_error(error);
  }
  ~Golden() { dve_golden_destroy(handle_); }
  Golden(const Golden&) = delete;
  Golden& operator=(const Golden&) = delete;
  dve_golden* get() { return handle_; }

  std::string message() {
    std::string text(dve_golden_message(handle_, nullptr, 0), '\0');
    dve_golden_message(handle_, text.data(), text.size() + 1);
    return text;
  }
  std::uint64_t address(const isa::Place& place) {
    return dve_golden_address(handle_, place.space == isa::Space::sbuf ? DVE_GOLDEN_SBUF : DVE_GOLDEN_PSUM,
                              isa::number(place.partition), place.offset);
  }
  void write(const isa::Place& place, const void* data, std::size_t bytes) {
    ASSERT_EQ(dve_golden_write(handle_, address(place), data, bytes), DVE_GOLDEN_OK) << message();
  }
  void read(const isa::Place& place, void* data, std::size_t bytes) {
    ASSERT_EQ(dve_golden_read(handle_, address(place), data, bytes), DVE_GOLDEN_OK) << message();
  }
  void write(const isa::Place& place, const std::vector<float>& values) {
    write(place, values.data(), values.size() * sizeof(float));
  }
  std::vector<float> floats(const isa::Place& place, std::size_t count) {
    std::vector<float> values(count);
    read(place, values.data(), count * sizeof(float));
    return values;
  }
  dve_golden_status run(const isa::Word& word, isa::Engine engine = isa::Engine::dve) {
    return dve_golden_execute(handle_, static_cast<int>(engine), word.bytes.data());
  }
  // Executes words that must execute.
  void run_all(const std::vector<isa::Word>& words, isa::Engine engine = isa::Engine::dve) {
    for (const isa::Word& word : words) ASSERT_EQ(run(word, engine), DVE_GOLDEN_OK) << message();
  }
  isa::Word assemble(const std::string& text) {
    isa::Word word;
    EXPECT_EQ(dve_golden_assemble(handle_, text.c_str(), word.bytes.data()), DVE_GOLDEN_OK)
        << text << ": " << message();
    return word;
  }
  std::vector<dve_golden_finding> findings() {
    std::vector<dve_golden_finding> list(dve_golden_finding_count(handle_));
    for (std::size_t k = 0; k < list.size(); ++k)
      EXPECT_EQ(dve_golden_finding_at(handle_, k, &list[k]), DVE_GOLDEN_OK) << message();
    return list;
  }
  dve_golden_schedule schedule(isa::Engine engine = isa::Engine::dve) {
    dve_golden_schedule schedule{};
    EXPECT_EQ(dve_golden_schedule_of(handle_, static_cast<int>(engine), &schedule), DVE_GOLDEN_OK) << message();
    return schedule;
  }
  std::int32_t semaphore(std::uint32_t index) {
    std::int32_t value = 0;
    EXPECT_EQ(dve_golden_semaphore(handle_, index, &value), DVE_GOLDEN_OK) << message();
    return value;
  }
  int event(std::uint32_t index) {
    int value = 0;
    EXPECT_EQ(dve_golden_event(handle_, index, &value), DVE_GOLDEN_OK) << message();
    return value;
  }

 private:
  dve_golden* handle_ = nullptr;
};

}  // namespace dve::golden_tests
