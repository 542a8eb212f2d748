/* A C program outside of the project: one GradAccum on the golden library, whole and element by element, with expected bits
 * worked out by hand. All numbers are subnormal, so a program that flushes them (-ffast-math) shows whether the library minds.
 * Argument: the cycles between the end of the stream and the next word (timing.issue_gap) of the configuration in use. */
#include <dve_golden.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 64 };

static dve_golden* g;

static void need(int holds, const char* what) {
  char message[256] = "";
  if (holds) return;
  if (g != NULL) dve_golden_message(g, message, sizeof message);
  printf("foreign: %s does not hold; last message: %s\n", what, message);
  exit(1);
}

static uint64_t sbuf(uint64_t offset) { return dve_golden_address(g, DVE_GOLDEN_SBUF, 0, offset); }

static void put(uint64_t offset, const uint32_t* bits, size_t count) {
  need(dve_golden_write(g, sbuf(offset), bits, 4 * count) == DVE_GOLDEN_OK, "a write");
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

int main(int argc, char** argv) {
  uint32_t x[ELEMENTS], dy[ELEMENTS], parameters[2] = {0, 0x3F800000}; /* m = 0, v = 1 */
  uint32_t sums[3];
  uint32_t expected = 0; /* the bits of a subnormal are its value in units of 2^-149 */
  uint8_t word[DVE_GOLDEN_WORD_BYTES];
  uint64_t elements = 0, steps = 0;
  uint32_t channels = 0, k;
  dve_golden_element element;
  dve_golden_schedule schedule;
  char error[512];

  need(argc == 2, "one argument");
  need(dve_golden_version() >> 16 == DVE_GOLDEN_VERSION_MAJOR, "the version of header and library");
  need(dve_golden_create("no_such_generation", NULL, 0, 0, error, sizeof error) == NULL, "a refusal");
  need(strstr(error, "no_such_generation") != NULL, "a refusal that names what it refuses");
  g = dve_golden_create("cayman", NULL, 0, 0, error, sizeof error);
  if (g == NULL) printf("foreign: %s\n", error);
  need(g != NULL, "a golden");

  for (k = 0; k < ELEMENTS; ++k) {
    x[k] = 0x3F800000; /* 1 */
    dy[k] = 3 * k + 1;
    expected += dy[k];
  }
  put(0x0, x, ELEMENTS);
  put(0x1000, dy, ELEMENTS);
  put(0x2000, parameters, 2);
  need(dve_golden_assemble(g,
                           "batch_norm_grad_accumulate2 src0=sbuf[0]+0x0:fp32{64} src1=sbuf[0]+0x1000:fp32{64} "
                           "dst=sbuf[0]+0x3000:fp32{3} imm0=sbuf[0]+0x2000 imm1=sbuf[0]+0x2004 channels=1",
                           word) == DVE_GOLDEN_OK,
       "assembly");

  need(dve_golden_execute(g, DVE_GOLDEN_DVE, word) == DVE_GOLDEN_OK, "execution");
  need(dve_golden_read(g, sbuf(0x3000), sums, sizeof sums) == DVE_GOLDEN_OK, "a read");
  for (k = 0; k < 3; ++k) need(sums[k] == expected, "a sum");

  need(dve_golden_begin(g, DVE_GOLDEN_DVE, word, &elements, &channels) == DVE_GOLDEN_OK, "begin");
  need(elements == ELEMENTS && channels == 1, "the shape of the word");
  expected = 0;
  while (dve_golden_step(g) == DVE_GOLDEN_OK) {
    need(dve_golden_element_of(g, 0, &element) == DVE_GOLDEN_OK, "an element");
    expected += dy[steps++];
    for (k = 0; k < 3; ++k) need(bits_of(element.sums[k]) == expected, "a running sum");
  }
  need(steps == ELEMENTS, "the number of steps");
  need(dve_golden_finish(g) == DVE_GOLDEN_OK, "finish");

  /* Two sources in SBUF: two cycles an element. */
  need(dve_golden_schedule_of(g, DVE_GOLDEN_DVE, &schedule) == DVE_GOLDEN_OK, "a schedule");
  need(schedule.stream == 2 * ELEMENTS, "the cycles of the stream");
  need(schedule.next_issue == schedule.start + schedule.stream + strtoull(argv[1], NULL, 10),
       "the gap of the configuration beside the library");
  printf("foreign: ok, %" PRIu64 " elements\n", steps);
  dve_golden_destroy(g);
  return 0;
}
