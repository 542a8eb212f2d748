# Assembly text of the longer programs of docs/timing.md's validation, from the descriptions in microarchitecture.md 9.
#   awk -v program=NAME [-v KEY=VALUE]... -f scripts/validation_program.awk </dev/null
# program=chain  words=N                      Activate of one element, each word reads what the one before wrote (V3)
# program=mamba  version=1|2|3 tiles=T seq=Q interleave=1|2 channels=C
#                                             vector operations of the fused-Mamba kernels (V4 to V7): T tiles of 128
#                                             channels, Q tiles of 512 positions, 16 states. interleave=1: source order,
#                                             each operation waits for the one before; 2: two tiles alternate
# program=rope_a words=N engine=dve|pool      TensorTensor of two SBUF sources, 2048 elements, 64 partitions (V9)
# program=rope_b words=N psum_words=P engine=...
#                                             the same with 512 elements; the first P words have a PSUM source (V10)
#
# The scan of Mamba has no layout in the instruction set that is modelled; a TensorTensor of two SBUF sources stands for
# it: the published cost is the same, 2 N (microarchitecture.md 7.1). C may be small: the cost of a word does not depend
# on its channels (V1 and V2).

function in_sbuf(offset, n) { return sprintf("sbuf[0]+0x%x:fp32{%d}", offset, n) }
function in_psum(offset, n) { return sprintf("psum[0]+0x%x:fp32{%d}", offset, n) }
function tensor_tensor(src0, src1, dst, op, channels) {
  printf "tensor_tensor_arith_op src0=%s src1=%s dst=%s op=%s channels=%d\n", src0, src1, dst, op, channels
}

# Buffer `name` of the tile that strand k (0 or 1) works on: 2 KiB each.
function buffer(k, name) { return in_sbuf(k * 16384 + 2048 * name, 512) }

function delta_u(k) { tensor_tensor(buffer(k, 0), buffer(k, 1), buffer(k, 2), "mult", channels) }
# Step `step` of one state: B (broadcast in PSUM), the scan, C (broadcast in PSUM), the sum over the states.
function state_step(k, step) {
  if (step == 0 && version == 1) delta_u(k)
  if (step == 1) tensor_tensor(buffer(k, 2), in_psum(k * 2048, 512), buffer(k, 3), "mult", channels)
  if (step == 2) tensor_tensor(buffer(k, 4), buffer(k, 3), buffer(k, 5), "add", channels)
  if (step == 3) tensor_tensor(buffer(k, 5), in_psum(4096 + k * 2048, 512), buffer(k, 6), "mult", channels)
  if (step == 4) tensor_tensor(buffer(k, 6), buffer(k, 7), buffer(k, 7), "add", channels)
  if (step == 5 && version == 3)  # the last state is the first one of the next 512 positions
    printf "copy src=%s dst=%s channels=%d\n", in_sbuf(k * 16384 + 2048 * 5 + 2044, 1), in_sbuf(32768 + k * 4, 1), channels
}
function mamba(   part, state, step, k) {
  for (part = 0; part < seq * tiles; part += interleave) {
    if (version != 1) for (k = 0; k < interleave; ++k) delta_u(k)
    for (state = 0; state < 16; ++state)
      for (step = 0; step < 6; ++step)
        for (k = 0; k < interleave; ++k) state_step(k, step)
  }
}

function rope(n, from_psum, size,   i, src1) {
  printf ".engine %s\n", engine
  for (i = 0; i < words; ++i) {
    src1 = i < from_psum ? in_psum(0, n) : in_sbuf(size, n)
    tensor_tensor(in_sbuf(0, n), src1, in_sbuf((2 + i % 4) * size, n), "mult", 64)
  }
}

BEGIN {
  if (program == "chain") {
    print ".engine act"
    for (i = 0; i < words; ++i)
      printf "activate src=%s dst=%s activation_func=copy scale=1 channels=128\n", in_sbuf(4 * i, 1), in_sbuf(4 * i + 4, 1)
  } else if (program == "mamba") mamba()
  else if (program == "rope_a") rope(2048, 0, 8192)
  else if (program == "rope_b") rope(512, psum_words, 2048)
  else { print "validation_program: unknown program '" program "'" > "/dev/stderr"; exit 2 }
}
