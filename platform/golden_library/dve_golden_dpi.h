/* What dve_golden_pkg (sv/dve_golden_pkg.sv) imports over DPI-C: dve_golden.h with SystemVerilog's types. Not
 * installed: a simulator reads the declarations in the package.
 *
 * Every number that comes from SystemVerilog is a 4-state vector (IEEE 1800-2017 annex H: aval and bval of 32 bits
 * each, least significant first). A bit that is X or Z makes the call fail with DVE_GOLDEN_BAD_ARGUMENT, and
 * dve_dpi_message names it; nothing has happened then. Bits past a vector's width are not looked at. Texts handed out
 * stay valid until the calling thread's next call. */
#ifndef DVE_GOLDEN_DPI_H
#define DVE_GOLDEN_DPI_H

#include <stdint.h>

#include "dve_golden.h"

/* The two types of annex H that are needed; svdpi.h of a simulator may come before or after. */
#ifndef VPI_VECVAL
#define VPI_VECVAL
typedef struct t_vpi_vecval {
  uint32_t aval;
  uint32_t bval;
} s_vpi_vecval, *p_vpi_vecval;
#endif
#ifndef INCLUDED_SVDPI
typedef s_vpi_vecval svLogicVecVal;
typedef uint32_t svBitVecVal;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* `settings`: texts "key=value", one a line. NULL: dve_dpi_message(NULL) says why. */
DVE_GOLDEN_API void* dve_dpi_create(const char* config, const char* settings, const svLogicVecVal* host_bytes);
DVE_GOLDEN_API void dve_dpi_destroy(void* golden);
DVE_GOLDEN_API int dve_dpi_reset(void* golden);
/* Why the last call that failed did so; NULL: of dve_dpi_create, by the calling thread. */
DVE_GOLDEN_API const char* dve_dpi_message(void* golden);
DVE_GOLDEN_API const char* dve_dpi_status_name(int status);

/* 32 bits of memory and partition, 64 of offset and address. */
DVE_GOLDEN_API int dve_dpi_address(void* golden, const svLogicVecVal* memory, const svLogicVecVal* partition,
                                   const svLogicVecVal* offset, svBitVecVal* address);
/* Up to 64 bytes: the low `bytes` of 512 bits of data, of which the others are not looked at, and are read as 0. */
DVE_GOLDEN_API int dve_dpi_write(void* golden, const svLogicVecVal* address, const svLogicVecVal* bytes,
                                 const svLogicVecVal* data);
DVE_GOLDEN_API int dve_dpi_read(void* golden, const svLogicVecVal* address, const svLogicVecVal* bytes,
                                svBitVecVal* data);

/* 512 bits of word, its first byte in the low ones; 32 of every other number. */
DVE_GOLDEN_API int dve_dpi_execute(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word);
DVE_GOLDEN_API int dve_dpi_check(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word,
                                 const char** text);
DVE_GOLDEN_API int dve_dpi_assemble(void* golden, const char* text, svBitVecVal* word);
DVE_GOLDEN_API int dve_dpi_disassemble(void* golden, const svLogicVecVal* word, const char** text);

DVE_GOLDEN_API int dve_dpi_begin(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word,
                                 svBitVecVal* elements, svBitVecVal* channels);
DVE_GOLDEN_API int dve_dpi_step(void* golden);
/* `element`: 64 bits; `values`: nine times 32, x in the low ones, then dy, xn, t, tv, d_beta, d_gamma, coupling, dx. */
DVE_GOLDEN_API int dve_dpi_element_of(void* golden, const svLogicVecVal* channel, svBitVecVal* element,
                                      svBitVecVal* values);
DVE_GOLDEN_API int dve_dpi_finish(void* golden);

DVE_GOLDEN_API int dve_dpi_finding_count(void* golden);
/* `text`: engine, word, opcode, rule, field and what was expected in one line. */
DVE_GOLDEN_API int dve_dpi_finding_at(void* golden, const svLogicVecVal* index, int* fault, const char** text);
/* Six times 32 bits: element_count, mean, a, b, c, inv_std. */
DVE_GOLDEN_API int dve_dpi_lane(void* golden, const svLogicVecVal* lane, int* loaded, svBitVecVal* flops);
DVE_GOLDEN_API int dve_dpi_semaphore(void* golden, const svLogicVecVal* index, int* value);
DVE_GOLDEN_API int dve_dpi_set_semaphore(void* golden, const svLogicVecVal* index, const svLogicVecVal* value);
DVE_GOLDEN_API int dve_dpi_event(void* golden, const svLogicVecVal* index, int* value);
DVE_GOLDEN_API int dve_dpi_set_event(void* golden, const svLogicVecVal* index, const svLogicVecVal* value);
DVE_GOLDEN_API int dve_dpi_register(void* golden, const svLogicVecVal* engine, const svLogicVecVal* index,
                                    svBitVecVal* value);
DVE_GOLDEN_API int dve_dpi_set_register(void* golden, const svLogicVecVal* engine, const svLogicVecVal* index,
                                        const svLogicVecVal* value);
/* Five times 64 bits: start, read_done, complete, next_issue, stream. */
DVE_GOLDEN_API int dve_dpi_schedule(void* golden, const svLogicVecVal* engine, svBitVecVal* cycles);

/* Whether two binary32 have the same bits: 1 or 0; -1 when a bit is X or Z. `text` shows both, as numbers and as bits,
 * or names the bit. */
DVE_GOLDEN_API int dve_dpi_same(const svLogicVecVal* actual, const svLogicVecVal* expected, const char** text);

#ifdef __cplusplus
}
#endif

#endif
