// What words cost in a NeuronCore.
#pragma once

#include <memory>

namespace dve::bench {

// Cores that are elaborated together. Subjects refer to this object.
class CoreSubjects {
 public:
  CoreSubjects();
  ~CoreSubjects();
  void add();

 private:
  struct Cores;
  std::unique_ptr<Cores> cores_;
};

}  // namespace dve::bench
