/* libdve_golden: the bit-exact DVE, POOL and ACT of one NeuronCore as a C library, for RTL benches, scoreboards and
 * other languages. It executes the same plain C++ code as the SystemC model, without SystemC.
 *
 *   dve_golden* g = dve_golden_create("cayman", NULL, 0, 0, error, sizeof error);
 *   dve_golden_write(g, dve_golden_address(g, DVE_GOLDEN_SBUF, 0, 0x100), data, bytes);
 *   dve_golden_assemble(g, "batch_norm_stats2 src=sbuf[0]+0x100:fp32{64} dst=sbuf[0]+0x800:fp32{6} channels=1", word);
 *   dve_golden_execute(g, DVE_GOLDEN_DVE, word);
 *
 * Threads: calls on one handle are serialised by the library, different handles are independent; dve_golden_destroy
 * comes after all other calls. No C++ exception leaves a function. Rounding mode and denormal handling of the caller do
 * not matter: every call computes in round to nearest even with subnormals, and puts the caller's environment back.
 *
 * What it does not model: other users of the memories' ports (cycles are those of an undisturbed word), DMA, the
 * sequencer's fetch and notifications. */
#ifndef DVE_GOLDEN_H
#define DVE_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DVE_GOLDEN_API __attribute__((visibility("default")))
#else
#define DVE_GOLDEN_API
#endif

/* Version of this header: major steps break callers, minor steps add. */
#define DVE_GOLDEN_VERSION_MAJOR 1
#define DVE_GOLDEN_VERSION_MINOR 0
#define DVE_GOLDEN_VERSION (DVE_GOLDEN_VERSION_MAJOR << 16 | DVE_GOLDEN_VERSION_MINOR)
/* That of the library that runs. Compatible when the majors are equal and the library's minor is not smaller. */
DVE_GOLDEN_API uint32_t dve_golden_version(void);

typedef struct dve_golden dve_golden;

typedef enum dve_golden_status {
  DVE_GOLDEN_OK = 0,
  DVE_GOLDEN_DONE = 1,    /* dve_golden_step: the word has no further element */
  DVE_GOLDEN_WAITING = 2, /* the word's wait condition does not hold: change it and call again */
  DVE_GOLDEN_FAULT = 3,   /* the word faulted (dve_golden_fault); its engine stops until dve_golden_reset */
  DVE_GOLDEN_BAD_ARGUMENT =
      4, /* a null pointer, a number out of range, calls out of order, text that does not assemble */
  DVE_GOLDEN_BAD_ADDRESS = 5, /* bytes that do not exist; nothing was transferred */
  DVE_GOLDEN_NO_ELEMENTS = 6, /* dve_golden_begin: an opcode that has no intermediates */
  DVE_GOLDEN_INTERNAL = 70    /* a bug of the library, or no memory */
} dve_golden_status;
/* "ok", "waiting", ..; "unknown status" for any other number. */
DVE_GOLDEN_API const char* dve_golden_status_name(int status);

typedef enum dve_golden_engine { DVE_GOLDEN_DVE = 0, DVE_GOLDEN_POOL = 1, DVE_GOLDEN_ACT = 2 } dve_golden_engine;
typedef enum dve_golden_memory { DVE_GOLDEN_SBUF = 0, DVE_GOLDEN_PSUM = 1 } dve_golden_memory;

#define DVE_GOLDEN_WORD_BYTES 64

/* A core after reset. `config`: the name of a generation, or a configuration file; NULL or empty: cayman. `settings`:
 * `count` texts "key=value" as `dve-sim --set` takes them. `host_bytes`: memory for TensorLoad and TensorStore at
 * `host:` addresses (0: none). Of no consequence here: `dve.*`, `dmi`, `host_step_ns`, and whether time is lt or at.
 * NULL when the configuration is wrong or memory lacks; `error` (may be NULL) then holds one line, cut to `error_bytes`
 * with its end. */
DVE_GOLDEN_API dve_golden* dve_golden_create(const char* config, const char* const* settings, size_t count,
                                             uint64_t host_bytes, char* error, size_t error_bytes);
DVE_GOLDEN_API void dve_golden_destroy(dve_golden*);
/* Engines, registers, semaphores, events, Parameter-RAM, schedules and findings as after create; memories keep their
 * bytes. Legal in the middle of a word. */
DVE_GOLDEN_API dve_golden_status dve_golden_reset(dve_golden*);
/* Why the last call on this handle, by whichever thread, that returned neither OK nor DONE did so: one line, empty when
 * none did. `text` gets as
 * much as fits, with its end. Returns the length of the whole line. */
DVE_GOLDEN_API size_t dve_golden_message(dve_golden*, char* text, size_t bytes);

/* ---- Memories ---- */

/* Address of a byte of a partition, as the core's router decodes it; UINT64_MAX when there is none. */
DVE_GOLDEN_API uint64_t dve_golden_address(dve_golden*, int memory, uint32_t partition, uint64_t offset);
/* Bytes of SBUF, PSUM (on-chip or aperture addresses), the Parameter-RAM or host memory. A range stays inside one
 * partition. Never-written bytes are noise that depends on the configuration's poison_seed alone. */
DVE_GOLDEN_API dve_golden_status dve_golden_read(dve_golden*, uint64_t address, void* data, size_t bytes);
DVE_GOLDEN_API dve_golden_status dve_golden_write(dve_golden*, uint64_t address, const void* data, size_t bytes);

/* ---- Words ---- */

/* Executes one word: dispatch, legality, wait, operands, arithmetic, results, updates, as the sequencer and the engine
 * do. FAULT leaves memory as it was, but for faults that the device finds when results are there: fp_status_several
 * after the destination, transfer_response after the elements before the bad one. WAITING changes nothing but that a
 * first of two waits stays passed. */
DVE_GOLDEN_API dve_golden_status dve_golden_execute(dve_golden*, int engine, const uint8_t* word);
/* `count` words of 64 bytes one after the other, from the first on, until one returns something else than OK, or Halt.
 * `executed` (may be NULL) gets how many have executed. */
DVE_GOLDEN_API dve_golden_status dve_golden_run(dve_golden*, int engine, const uint8_t* words, size_t count,
                                                size_t* executed);
/* Whether the engine takes the word and it is legal, without executing it: OK or FAULT with all findings, one a line,
 * in `text` (may be NULL), cut to `bytes` with its end. Stops no engine. */
DVE_GOLDEN_API dve_golden_status dve_golden_check(dve_golden*, int engine, const uint8_t* word, char* text,
                                                  size_t bytes);
/* One line of assembly text to a word and back (docs/isa.md). `bytes`: room for the text with its end, at least
 * DVE_GOLDEN_TEXT_BYTES for every word; BAD_ARGUMENT says how much it takes when there is less. */
#define DVE_GOLDEN_TEXT_BYTES 2048
DVE_GOLDEN_API dve_golden_status dve_golden_assemble(dve_golden*, const char* text, uint8_t* word);
DVE_GOLDEN_API dve_golden_status dve_golden_disassemble(dve_golden*, const uint8_t* word, char* text, size_t bytes);

/* ---- Inside a word: GradAccum (0x63, 0x94) and BackProp (0x65), element by element ---- */

/* Intermediates of one element of one channel, binary32, each NaN 7FC00000. */
typedef struct dve_golden_element {
  uint64_t element; /* number in the channel's stream */
  float x, dy;      /* operands as converted; BackProp: x is source 0 */
  /* GradAccum: (x - m) * v, or (x - m) * dy with product_order interpreter.
   * BackProp: x - m; in the textbook form xn. */
  float xn;
  /* GradAccum: what this element adds to d_gamma, and to the coupling. BackProp: dy * N, and what is subtracted from it
   * ((x - m) * C + B; textbook: xn * C, after B). */
  float t, tv;
  /* GradAccum: d_beta, d_gamma, coupling after this element, whatever the destination's order. BackProp: 0. */
  float sums[3];
  float dx; /* BackProp: before rounding to the destination's dtype. GradAccum: 0. */
} dve_golden_element;

/* Opens a word: everything that dve_golden_execute does before arithmetic. `elements` and `channels` (may be NULL) get
 * the length of the stream and the number of channels; both 0 in relaxed mode for a word without a meaning. Until
 * dve_golden_finish or dve_golden_reset the handle executes no other word. */
DVE_GOLDEN_API dve_golden_status dve_golden_begin(dve_golden*, int engine, const uint8_t* word, uint64_t* elements,
                                                  uint32_t* channels);
/* The next element, of all channels at once, the first after begin. DONE when there is none. */
DVE_GOLDEN_API dve_golden_status dve_golden_step(dve_golden*);
/* The element that the last step brought, of one channel (0 is the first of the word). */
DVE_GOLDEN_API dve_golden_status dve_golden_element_of(dve_golden*, uint32_t channel, dve_golden_element* element);
/* The rest of the word and its results, updates and flops, as if it had been executed. */
DVE_GOLDEN_API dve_golden_status dve_golden_finish(dve_golden*);

/* ---- What can be asked ---- */

/* Broken rules and conditions since the last reset, oldest first: warnings add up in relaxed mode. Pointers stay valid
 * until the next call on the handle that executes, resets, or asks for or sets a semaphore or event. */
typedef struct dve_golden_finding {
  int engine;
  int fault;     /* 1: a fault; 0: a warning, and execution went on */
  uint64_t word; /* words that the engine had been given before since its reset */
  uint8_t opcode;
  const char* predicate; /* the rule's name: docs/isa.md */
  const char* field;
  uint32_t byte; /* offset of the field in the word */
  uint64_t value;
  const char* expected;
} dve_golden_finding;
DVE_GOLDEN_API size_t dve_golden_finding_count(dve_golden*);
DVE_GOLDEN_API dve_golden_status dve_golden_finding_at(dve_golden*, size_t index, dve_golden_finding* finding);

/* Flops of one DVE lane (isa.md 10). */
typedef struct dve_golden_lane {
  int loaded; /* a ParamLoad has filled it */
  float element_count, mean, a, b, c;
  float inv_std; /* of the lane's last GradAccum */
} dve_golden_lane;
DVE_GOLDEN_API dve_golden_status dve_golden_lane_of(dve_golden*, uint32_t lane, dve_golden_lane* flops);

/* index 0 to 255; registers 0 to 63 of an engine's sequencer. Setting a semaphore or event is the host's doing, at the
 * moment of the last completion. */
DVE_GOLDEN_API dve_golden_status dve_golden_semaphore(dve_golden*, uint32_t index, int32_t* value);
DVE_GOLDEN_API dve_golden_status dve_golden_set_semaphore(dve_golden*, uint32_t index, int32_t value);
DVE_GOLDEN_API dve_golden_status dve_golden_event(dve_golden*, uint32_t index, int* value);
DVE_GOLDEN_API dve_golden_status dve_golden_set_event(dve_golden*, uint32_t index, int value);
DVE_GOLDEN_API dve_golden_status dve_golden_register(dve_golden*, int engine, uint32_t index, uint32_t* value);
DVE_GOLDEN_API dve_golden_status dve_golden_set_register(dve_golden*, int engine, uint32_t index, uint32_t value);

/* When the engine's last word ran, in cycles of the engine (docs/timing.md), undisturbed by other users of the
 * memories; all 0 in abstraction=functional. */
typedef struct dve_golden_schedule {
  uint64_t start, read_done, complete, next_issue;
  uint64_t stream; /* S: cycles of operand streaming; 0 for words of the sequencer */
} dve_golden_schedule;
DVE_GOLDEN_API dve_golden_status dve_golden_schedule_of(dve_golden*, int engine, dve_golden_schedule* schedule);

#ifdef __cplusplus
}
#endif

#endif
