// Which task gets which pieces of work.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <vector>

namespace dve::slurm {

using Chunk = std::vector<std::size_t>;  // numbers of pieces, in the order in which the task does them

// One job array.
struct Round {
  std::vector<Chunk> chunks;
  // The last chunk is there to measure what a piece costs: its task ends after the time that a task shall take,
  // whatever is left of it.
  bool measures = false;
};

// Pieces are dealt in a shuffled order, the same every time: a chunk is a random sample of all pieces, so that chunks
// of one size cost about the same however the cost depends on the number.
class Dealer {
 public:
  struct Limits {
    std::size_t chunk = 0;          // least number of pieces a task; 0: a task measures it first
    std::size_t retries = 2;        // of a piece
    std::size_t most_tasks = 1000;  // a round; Slurm's MaxArraySize is 1001 unless configured
    std::size_t most_measured = 5000;
  };

  Dealer(const std::vector<std::size_t>& pieces, const Limits& limits);

  bool empty() const { return queue_.empty(); }

  // The next round takes all pieces that are left, or some to measure.
  Round next();

  // `done` pieces of the measuring chunk took the time that a task shall take: chunks get twice as many from now on,
  // less one, so that a single piece that takes longer is a chunk.
  void measured(std::size_t done);

  // A task did what it could; what is `left` of its chunk is dealt again.
  void ended(const Chunk& left);

  // A task failed. Suspect is the first piece that is left, or all of a small chunk of which nothing was done: a
  // suspect is tried again alone, so that it takes no other piece with it. Returns the pieces that have no retry left.
  std::vector<std::size_t> failed(const Chunk& chunk, const Chunk& left);

 private:
  std::vector<Chunk> take_suspects();
  Chunk take(std::size_t count);

  Limits limits_;
  std::deque<std::size_t> queue_;
  std::set<std::size_t> suspects_;               // in the queue
  std::map<std::size_t, std::size_t> failures_;  // by piece
};

}  // namespace dve::slurm
