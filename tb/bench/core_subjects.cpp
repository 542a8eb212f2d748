#include "bench/core_subjects.h"

#include <string>

#include "bench/bare_call.h"
#include "bench/bare_kernel.h"
#include "bench/bare_transaction.h"
#include "bench/programs.h"
#include "bench/subjects.h"
#include "bench/warm_core.h"

namespace dve::bench {
namespace {

constexpr std::uint64_t kMostWords = 200'000;
constexpr std::uint64_t kCalls = 100'000;
constexpr std::uint16_t kLengths[] = {512, 2048, 16384};
constexpr std::uint16_t kSmall = 64;

config::Config settings(const char* abstraction) {
  return config::load("cayman", {std::string("abstraction=") + abstraction}).config;
}

std::uint64_t elements_of(std::size_t words, std::uint64_t elements) { return words * elements * kChannels; }

// About 4 million elements a program, at least two words.
std::size_t words_of(std::uint64_t elements) { return std::max<std::size_t>(2, 32768 / elements); }

}  // namespace

struct CoreSubjects::Cores {
  WarmCore lt{"lt", settings("lt"), true, kMostWords};
  WarmCore no_data{"no_data", settings("lt"), false, kMostWords};
  WarmCore at{"at", settings("at"), false, kMostWords};
  BareCall call;
  BareTransaction transaction;
  BareKernel kernel{kSmall};

  // The subjects share a core, and take turns: each turn begins with its data in memory and its words known.
  void add_lt(const std::string& name, const char* unit, std::uint64_t count, std::vector<isa::Word> program,
              isa::Dtype dtype, std::uint32_t elements) {
    Subject subject{name, unit, count, [this, program] { lt.run(program); }};
    subject.prepare = [this, program, dtype, elements] {
      lt.load([dtype, elements](Host& host) { load_operands(host, dtype, elements); });
      lt.run(program);
    };
    add_subject(std::move(subject));
  }
};

CoreSubjects::CoreSubjects() : cores_(std::make_unique<Cores>()) {
  // Every byte that is traced goes through the recorder; what the disk costs is not the model's.
  cores_->lt.trace(telemetry::make_recorder(telemetry::Format::perfetto, "/dev/null", {}));
}

CoreSubjects::~CoreSubjects() = default;

void CoreSubjects::add() {
  Cores* const cores = cores_.get();
  add_subject({"bare_b_transport", "call", kCalls, [cores] { cores->call.make(kCalls); }});
  add_subject({"bare_4phase", "transaction", kCalls / 10, [cores] { cores->transaction.move(kCalls / 10); }});
  for (const std::uint16_t n : kLengths) {
    const std::size_t words = words_of(n);
    const std::string of_n = "_" + std::to_string(n);
    cores->add_lt("lt_grad_accum_fp32" + of_n, "element", elements_of(words, n), grad_accumulates(words, n),
                  isa::Dtype::fp32, n);
    cores->add_lt("lt_back_prop_fp32" + of_n, "element", elements_of(words, n), back_props(words, n), isa::Dtype::fp32,
                  n);
    cores->add_lt("lt_backward_fp32" + of_n, "element", elements_of(words, n), backward_steps(words, n),
                  isa::Dtype::fp32, n);
  }
  for (const auto dtype : {isa::Dtype::bf16, isa::Dtype::fp16}) {
    const std::string name(isa::name(dtype));
    cores->add_lt("lt_grad_accum_" + name + "_2048", "element", elements_of(16, 2048),
                  grad_accumulates(16, 2048, dtype), dtype, 2048);
    cores->add_lt("lt_back_prop_" + name + "_2048", "element", elements_of(16, 2048), back_props(16, 2048, dtype),
                  dtype, 2048);
  }
  for (const std::uint32_t n : {512U, 4096U, 65536U})
    cores->add_lt("lt_long_grad_accum_bf16_" + std::to_string(n), "element", elements_of(words_of(n), n),
                  long_grad_accumulates(words_of(n), n), isa::Dtype::bf16, 32768);
  cores->add_lt("lt_small_64", "instruction", 500, grad_accumulates(500, kSmall), isa::Dtype::fp32, kSmall);
  add_subject({"bare_kernel_64", "kernel", 500, [cores] { cores->kernel.accumulate(500); }});
  cores->add_lt("lt_untraced_512", "instruction", 100, grad_accumulates(100, 512), isa::Dtype::fp32, 512);
  add_subject({"lt_traced_512", "instruction", 100, [cores, program = grad_accumulates(100, 512)] {
                 cores->lt.tracing = true;
                 cores->lt.run(program);
                 cores->lt.tracing = false;
               }});
  for (const std::size_t words : {std::size_t{2000}, std::size_t{kMostWords}})
    add_subject({"lt_no_data_" + std::to_string(words) + "_words", "instruction", words,
                 [cores, program = grad_accumulates(words, 64)] { cores->no_data.run(program); }});
  add_subject({"lt_no_data_backward", "instruction", 2001,
               [cores, program = backward_steps(1000, 64)] { cores->no_data.run(program); }});
  const std::uint64_t beats = 2 * 2048 * 4 / cores->at.core().settings().ports.port_bytes.value + 2;
  add_subject({"at_beat", "beat", 4 * beats, [cores, program = grad_accumulates(4, 2048)] { cores->at.run(program); }});
}

}  // namespace dve::bench
