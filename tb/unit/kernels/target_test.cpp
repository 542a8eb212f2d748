#include <algorithm>
#include <stdexcept>

#include "streams.h"

namespace dve::kernels_test {
namespace target_test {

TEST(Target, ScalarIsAlwaysThereAndTheBestIsTheDefault) {
  const auto all = kernels::targets();
  EXPECT_EQ(all.front(), "scalar");
  EXPECT_EQ(kernels::target(), all.back());
}

TEST(Target, EachCanBeForced) {
  on_every_target([] {});
  for (const std::string& name : kernels::targets()) {
    kernels::use_target(name);
    EXPECT_EQ(kernels::target(), name);
  }
  kernels::use_target("best");
  EXPECT_EQ(kernels::target(), kernels::targets().back());
}

TEST(Target, OtherNamesAreRefusedAndChangeNothing) {
  kernels::use_target("scalar");
  for (const char* name : {"", "avx1", "AVX2", "scalar ", "neon_of_elsewhere"}) {
    try {
      kernels::use_target(name);
      ADD_FAILURE() << name << " was taken";
    } catch (const std::invalid_argument& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find('"' + std::string(name) + '"'), std::string::npos) << text;
      for (const std::string& target : kernels::targets()) EXPECT_NE(text.find(target), std::string::npos) << text;
    }
    EXPECT_EQ(kernels::target(), "scalar");
  }
}

}  // namespace target_test
}  // namespace dve::kernels_test
