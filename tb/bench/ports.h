// Speed of the contention engine: how fast loosely timed runs compute what happens at the memories' ports.
#pragma once

namespace dve::bench {

// Families whose long streams are measured on their own: engine_long_<family>.
inline constexpr const char* kLongFamilies[] = {"sbuf", "dma", "shared"};

// engine_generated_suite, engine_long_*, engine_family_*, engine_alone: in beats.
void add_port_subjects();

// Jobs of all named and generated scenarios whose end under the loosely timed ports differs from that under the
// approximately timed ones. Elaborates a simulation: to be called in a process of its own.
unsigned long jobs_that_end_elsewhere();

}  // namespace dve::bench
