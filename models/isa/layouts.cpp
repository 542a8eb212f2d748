#include "layouts.h"

namespace dve::isa {
namespace {

// Each layout's byte table is written once, in fields() below, and walked by either of these two.
class Reader {
 public:
  explicit Reader(const Word& word) : word_(word) {}

  void operator()(Header& header) { header = read_header(word_); }
  void operator()(Events& events) { events = read_events(word_); }
  template <std::size_t N>
  void operator()(std::size_t offset, Tensor<N>& tensor) {
    tensor = Tensor<N>::read(word_, offset);
  }
  void operator()(std::size_t offset, DtypePair& pair) { pair = DtypePair::from_byte(word_.bytes[offset]); }
  void operator()(std::size_t offset, ImmSrcPair& pair) { pair = ImmSrcPair::from_byte(word_.bytes[offset]); }
  void operator()(std::size_t offset, ImmField& imm) { imm.raw = word_.get<std::uint32_t>(offset); }
  template <class T>
  void operator()(std::size_t offset, T& field) {
    field = word_.get<T>(offset);
  }

 private:
  const Word& word_;
};

class Writer {
 public:
  explicit Writer(Word& word) : word_(word) {}

  void operator()(const Header& header) { write_header(word_, header); }
  void operator()(const Events& events) { write_events(word_, events); }
  template <std::size_t N>
  void operator()(std::size_t offset, const Tensor<N>& tensor) {
    tensor.write(word_, offset);
  }
  void operator()(std::size_t offset, const DtypePair& pair) { word_.bytes[offset] = pair.byte(); }
  void operator()(std::size_t offset, const ImmSrcPair& pair) { word_.bytes[offset] = pair.byte(); }
  void operator()(std::size_t offset, const ImmField& imm) { word_.put(offset, imm.raw); }
  template <class T>
  void operator()(std::size_t offset, const T& field) {
    word_.put(offset, field);
  }

 private:
  Word& word_;
};

template <class Layout>
struct Of {};

// `Layout` is const when writing.
template <class Io, class Layout>
void fields(Of<S4D2Bn>, Io& io, Layout& i) {
  io(12, i.src);
  io(32, i.in_dtype);
  io(33, i.out_dtype);
  io(34, i.num_active_channels);
  io(35, i.reserved0);
  io(40, i.even_count_bits);
  io(44, i.odd_count_bits);
  io(48, i.dst);
  io(60, i.reserved1);
}

template <class Io, class Layout>
void fields(Of<S3S3D1Bn>, Io& io, Layout& i) {
  io(12, i.imm0);
  io(16, i.src0);
  io(32, i.src1);
  io(48, i.dst);
  io(56, i.imm1);
  io(60, i.in0_in1_dtype);
  io(61, i.immediate_dtype);
  io(62, i.out_dtype);
  io(63, i.num_active_channels);
}

template <class Io, class Layout>
void fields(Of<S3S3D1Bn2>, Io& io, Layout& i) {
  io(12, i.imm0);
  io(16, i.src0);
  io(32, i.src1);
  io(48, i.dst);
  io(56, i.imm1);
  io(60, i.in0_in1_dtype);
  io(61, i.immediate_out_dtype);
  io(62, i.imm0_imm1_src);
  io(63, i.num_active_channels);
}

template <class Io, class Layout>
void fields(Of<S2Bn>, Io& io, Layout& i) {
  io(12, i.reserved0);
  io(16, i.src);
  io(28, i.element_count_bits);
  io(32, i.src_dtype);
  io(33, i.reserved1);
  io(34, i.num_active_channels);
  io(35, i.reserved2);
  io(44, i.imm0);
  io(48, i.imm0_src);
  io(49, i.reserved3);
}

template <class Io, class Layout>
void fields(Of<S2Bnpl2>, Io& io, Layout& i) {
  io(12, i.src);
  io(24, i.reserved0);
  io(28, i.element_count_bits);
  io(32, i.src_dtype);
  io(33, i.immediate_dtype);
  io(34, i.num_active_channels);
  io(35, i.reserved1);
  io(40, i.imm0);
  io(44, i.imm1);
  io(48, i.imm0_src);
  io(49, i.imm1_src);
  io(50, i.reserved2);
}

template <class Io, class Layout>
void fields(Of<S3S3D3Tt>, Io& io, Layout& i) {
  io(12, i.in0_in1_dtype);
  io(13, i.out_dtype);
  io(14, i.op);
  io(15, i.num_active_channels);
  io(16, i.src0);
  io(32, i.src1);
  io(48, i.dst);
}

template <class Io, class Layout>
void fields(Of<CtrlIm>, Io& io, Layout& i) {
  io(12, i.param_ram_offset);
  io(14, i.imm_ptr_select);
  io(15, i.reserved0);
  io(32, i.immediate);
}

template <class Io, class Layout>
void fields(Of<S3D3Ts>, Io& io, Layout& i) {
  io(12, i.accumulator_cmd);
  io(13, i.reserved0);
  io(16, i.src);
  io(32, i.in_dtype);
  io(33, i.out_dtype);
  io(34, i.num_active_channels);
  io(35, i.imm0_src);
  io(36, i.op0);
  io(37, i.op1);
  io(38, i.reverse_operands);
  io(39, i.imm1_src);
  io(40, i.imm0);
  io(44, i.imm1);
  io(48, i.dst);
}

template <class Io, class Layout>
void fields(Of<S4D4Tr>, Io& io, Layout& i) {
  io(12, i.src);
  io(32, i.in_dtype);
  io(33, i.out_dtype);
  io(34, i.num_active_channels);
  io(35, i.negated);
  io(36, i.op);
  io(37, i.op_dim);
  io(38, i.mask_enable);
  io(39, i.reserved0);
  io(44, i.dst);
}

template <class Io, class Layout>
void fields(Of<S4D4Cr>, Io& io, Layout& i) {
  io(12, i.src);
  io(32, i.in_dtype);
  io(33, i.out_dtype);
  io(34, i.num_active_channels);
  io(35, i.reduce_op);
  io(36, i.reduce_axis);
  io(37, i.reserved0);
  io(40, i.scale_bits);
  io(44, i.dst);
}

template <class Io, class Layout>
void fields(Of<D4Mr>, Io& io, Layout& i) {
  io(12, i.reserved0);
  io(28, i.element_count);
  io(32, i.dtype);
  io(33, i.reserved1);
  io(34, i.num_active_channels);
  io(35, i.reserved2);
  io(36, i.serialization_mode);
  io(37, i.reserved3);
  io(40, i.set_value);
  io(44, i.dst);
}

template <class Io, class Layout>
void fields(Of<S3D3Ac>, Io& io, Layout& i) {
  io(12, i.imm_src);
  io(13, i.scale_src);
  io(14, i.accumulator_cmd);
  io(15, i.bias_src_n);
  io(16, i.src);
  io(32, i.in_bias_dtype);
  io(33, i.out_dtype);
  io(34, i.num_active_channels);
  io(35, i.activation_func);
  io(36, i.scale);
  io(40, i.bias);
  io(44, i.imm);
  io(48, i.dst);
}

template <class Io, class Layout>
void fields(Of<CtrlTable>, Io& io, Layout& i) {
  io(12, i.reserved0);
  io(35, i.set_index);
  io(36, i.reserved1);
}

template <class Io, class Layout>
void fields(Of<D1Rd>, Io& io, Layout& i) {
  io(12, i.reserved0);
  io(28, i.element_count);
  io(32, i.dtype);
  io(33, i.negated);
  io(34, i.num_active_channels);
  io(35, i.reserved1);
  io(44, i.dst);
  io(52, i.reserved2);
}

template <class Io, class Layout>
void fields(Of<CtrlEs>, Io& io, Layout& i) {
  io(12, i.setter_signature);
  io(13, i.reserved0);
  io(32, i.wait_mode1);
  io(33, i.wait_idx1);
  io(34, i.update_mode1);
  io(35, i.update_idx1);
  io(36, i.sem_wait_value);
  io(40, i.sem_update_value);
  io(44, i.reserved1);
}

template <class Io, class Layout>
void fields(Of<CtrlEmpty>, Io& io, Layout& i) {
  io(12, i.reserved0);
}

template <class Io, class Layout>
void fields(Of<CtrlDrain>, Io& io, Layout& i) {
  io(12, i.reserved0);
  io(40, i.count);
  io(44, i.reserved1);
}

template <class Io, class Layout>
void fields(Of<CtrlSr>, Io& io, Layout& i) {
  io(12, i.mode);
  io(13, i.first);
  io(14, i.last);
  io(15, i.reserved0);
  io(32, i.bitmask);
}

template <class Io, class Layout>
void fields(Of<CtrlMv>, Io& io, Layout& i) {
  io(12, i.num_mov);
  io(13, i.dtype);
  io(14, i.source);
  io(15, i.reserved0);
  io(16, i.src_regs);
  io(24, i.dst_regs);
  io(32, i.immediate);
}

template <class Io, class Layout>
void fields(Of<Mem2D>, Io& io, Layout& i) {
  io(12, i.dtype);
  io(13, i.src_datasrc);
  io(14, i.num_elem);
  io(16, i.start_addr);
  io(24, i.step_elem);
  io(32, i.data);
}

// Calls with(Of<Layout>{}) for the opcode's layout.
template <class With>
Instruction with_layout(Opcode opcode, const Word& word, With with) {
  switch (opcode) {
    case Opcode::batch_norm_stats:
    case Opcode::batch_norm_stats2:
    case Opcode::batch_norm_aggregate:
    case Opcode::transpose_batch_norm_stats2:
      return with(Of<S4D2Bn>{});
    case Opcode::batch_norm_grad_accumulate:
      return with(Of<S3S3D1Bn>{});
    case Opcode::batch_norm_grad_accumulate2:
      return with(Of<S3S3D1Bn2>{});
    case Opcode::batch_norm_param_load:
      return with(Of<S2Bn>{});
    case Opcode::batch_norm_param_load2:
      return with(Of<S2Bnpl2>{});
    case Opcode::batch_norm_back_prop:
    case Opcode::tensor_tensor_arith_op:
    case Opcode::tensor_tensor_bitvec_op:
    case Opcode::copy_predicated:
    case Opcode::cast_predicated:
      return with(Of<S3S3D3Tt>{});
    case Opcode::load_parameter_ram:
      return with(Of<CtrlIm>{});
    case Opcode::tensor_scalar_arith_op:
    case Opcode::tensor_scalar_bitvec_op:
      return with(Of<S3D3Ts>{});
    case Opcode::tensor_reduce_arith_op:
    case Opcode::copy:
    case Opcode::cast:
    case Opcode::reciprocal:
      return with(Of<S4D4Tr>{});
    case Opcode::cross_lane_reduce_arith_op:
    case Opcode::cross_lane_reduce_bitvec_op:
      return with(Of<S4D4Cr>{});
    case Opcode::memset:
      return with(Of<D4Mr>{});
    case Opcode::activate:
      return with(Of<S3D3Ac>{});
    case Opcode::activation_table_load:
      return with(Of<CtrlTable>{});
    case Opcode::activation_read_accumulator:
      return with(Of<D1Rd>{});
    case Opcode::event_semaphore:
      return with(Of<CtrlEs>{});
    case Opcode::halt:
    case Opcode::instruction_flush:
    case Opcode::nop:
      return with(Of<CtrlEmpty>{});
    case Opcode::drain:
      return with(Of<CtrlDrain>{});
    case Opcode::semaphore_range_clear:
      return with(Of<CtrlSr>{});
    case Opcode::move:
      return with(Of<CtrlMv>{});
    case Opcode::tensor_load:
    case Opcode::tensor_store:
      return with(Of<Mem2D>{});
  }
  return RawWord{word};
}

}  // namespace

template <class Layout>
Layout decode_as(const Word& word) {
  Layout layout;
  Reader reader(word);
  reader(layout.header);
  reader(layout.events);
  fields(Of<Layout>{}, reader, layout);
  return layout;
}

template <class Layout>
Word encode(const Layout& layout) {
  Word word;
  Writer writer(word);
  writer(layout.header);
  writer(layout.events);
  fields(Of<Layout>{}, writer, layout);
  return word;
}

template <>
Word encode(const RawWord& raw) {
  return raw.word;
}

namespace {

template <class Layout>
Layout decode_of(Of<Layout>, const Word& word) {
  return decode_as<Layout>(word);
}

}  // namespace

Instruction decode(const Word& word) {
  const std::optional<Opcode> opcode = opcode_from_byte(word.opcode_byte());
  if (!opcode) return RawWord{word};
  return with_layout(*opcode, word, [&word](auto layout) -> Instruction { return decode_of(layout, word); });
}

Word encode(const Instruction& instruction) {
  return std::visit([](const auto& layout) { return encode(layout); }, instruction);
}

#define DVE_LAYOUT(Layout)                        \
  template Layout decode_as<Layout>(const Word&); \
  template Word encode<Layout>(const Layout& layout);
DVE_LAYOUT(S4D2Bn)
DVE_LAYOUT(S3S3D1Bn)
DVE_LAYOUT(S3S3D1Bn2)
DVE_LAYOUT(S2Bn)
DVE_LAYOUT(S2Bnpl2)
DVE_LAYOUT(S3S3D3Tt)
DVE_LAYOUT(CtrlIm)
DVE_LAYOUT(S3D3Ts)
DVE_LAYOUT(S4D4Tr)
DVE_LAYOUT(S4D4Cr)
DVE_LAYOUT(D4Mr)
DVE_LAYOUT(S3D3Ac)
DVE_LAYOUT(CtrlTable)
DVE_LAYOUT(D1Rd)
DVE_LAYOUT(CtrlEs)
DVE_LAYOUT(CtrlEmpty)
DVE_LAYOUT(CtrlDrain)
DVE_LAYOUT(CtrlSr)
DVE_LAYOUT(CtrlMv)
DVE_LAYOUT(Mem2D)
#undef DVE_LAYOUT

}  // namespace dve::isa
