// Every name that check() can report has a sentence, and every sentence belongs to a name that it does report.
#include <algorithm>
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_explain_test {

// Found by check() in a million words around the border of legality, on all generations and engines.
std::set<std::string> reported_names() {
  std::set<std::string> names;
  Random random(0xE4B1A1);
  const auto note = [&names](const Word& word, Generation generation, std::optional<Engine> engine) {
    for (const Finding& f : check(word, on(generation, engine))) names.insert(f.predicate);
  };
  for (int round = 0; round < 1000000; ++round) {
    const std::uint64_t choice = random.next();
    const Generation generation = kGenerations[choice % kGenerations.size()];
    const std::uint64_t engine = choice / 8 % 4;
    note(near_legal_word(random), generation,
         engine < kEngines.size() ? std::optional<Engine>(kEngines[engine]) : std::nullopt);
  }
  return names;
}

TEST(LegalityExplain, EveryNameHasASentenceAndEverySentenceAName) {
  const std::set<std::string> reported = reported_names();
  const std::set<std::string> explained(explained_predicates().begin(), explained_predicates().end());
  for (const std::string& name : reported) EXPECT_EQ(explained.count(name), 1u) << name << " has no sentence";
  for (const std::string& name : explained) EXPECT_EQ(reported.count(name), 1u) << name << " is never reported";
}

TEST(LegalityExplain, OneSentenceEach) {
  for (const std::string_view name : explained_predicates()) {
    const std::string_view sentence = explain(name);
    ASSERT_FALSE(sentence.empty()) << name;
    EXPECT_TRUE(sentence.front() >= 'A' && sentence.front() <= 'Z') << sentence;
    EXPECT_EQ(sentence.back(), '.') << sentence;
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '.'), 1) << sentence;
  }
}

TEST(LegalityExplain, SortedWithoutRepetition) {
  const auto& names = explained_predicates();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(LegalityExplain, NothingForOtherTexts) {
  for (const char* text : {"", "a", "tensor", "tensor_start_addr_valid ", "zzz", "IS_VALID_DTYPE"}) {
    EXPECT_TRUE(explain(text).empty()) << text;
  }
  EXPECT_NE(explain("tt_valid_partitions").find("SBUF"), std::string_view::npos);
}

}  // namespace legality_explain_test
}  // namespace dve::isa::test
