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

// `Layout` is const when writing.
template <class Io, class Layout>
void s4d2_bn_fields(Io& io, Layout& i) {
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
void s3s3d1_bn_fields(Io& io, Layout& i) {
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
void s3s3d1_bn2_fields(Io& io, Layout& i) {
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
void s2_bn_fields(Io& io, Layout& i) {
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
void s2_bnpl2_fields(Io& io, Layout& i) {
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
void s3s3d3_tt_fields(Io& io, Layout& i) {
  io(12, i.in0_in1_dtype);
  io(13, i.out_dtype);
  io(14, i.op);
  io(15, i.num_active_channels);
  io(16, i.src0);
  io(32, i.src1);
  io(48, i.dst);
}

template <class Io, class Layout>
void ctrl_im_fields(Io& io, Layout& i) {
  io(12, i.param_ram_offset);
  io(14, i.imm_ptr_select);
  io(15, i.reserved0);
  io(32, i.immediate);
}

template <class Layout, class Fields>
Layout read_layout(const Word& word, Fields fields) {
  Layout layout;
  Reader reader(word);
  reader(layout.header);
  reader(layout.events);
  fields(reader, layout);
  return layout;
}

template <class Layout, class Fields>
Word write_layout(const Layout& layout, Fields fields) {
  Word word;
  Writer writer(word);
  writer(layout.header);
  writer(layout.events);
  fields(writer, layout);
  return word;
}

}  // namespace

template <>
S4D2Bn decode_as<S4D2Bn>(const Word& word) {
  return read_layout<S4D2Bn>(word, [](auto& io, auto& i) { s4d2_bn_fields(io, i); });
}
template <>
S3S3D1Bn decode_as<S3S3D1Bn>(const Word& word) {
  return read_layout<S3S3D1Bn>(word, [](auto& io, auto& i) { s3s3d1_bn_fields(io, i); });
}
template <>
S3S3D1Bn2 decode_as<S3S3D1Bn2>(const Word& word) {
  return read_layout<S3S3D1Bn2>(word, [](auto& io, auto& i) { s3s3d1_bn2_fields(io, i); });
}
template <>
S2Bn decode_as<S2Bn>(const Word& word) {
  return read_layout<S2Bn>(word, [](auto& io, auto& i) { s2_bn_fields(io, i); });
}
template <>
S2Bnpl2 decode_as<S2Bnpl2>(const Word& word) {
  return read_layout<S2Bnpl2>(word, [](auto& io, auto& i) { s2_bnpl2_fields(io, i); });
}
template <>
S3S3D3Tt decode_as<S3S3D3Tt>(const Word& word) {
  return read_layout<S3S3D3Tt>(word, [](auto& io, auto& i) { s3s3d3_tt_fields(io, i); });
}
template <>
CtrlIm decode_as<CtrlIm>(const Word& word) {
  return read_layout<CtrlIm>(word, [](auto& io, auto& i) { ctrl_im_fields(io, i); });
}

Word encode(const S4D2Bn& layout) {
  return write_layout(layout, [](auto& io, auto& i) { s4d2_bn_fields(io, i); });
}
Word encode(const S3S3D1Bn& layout) {
  return write_layout(layout, [](auto& io, auto& i) { s3s3d1_bn_fields(io, i); });
}
Word encode(const S3S3D1Bn2& layout) {
  return write_layout(layout, [](auto& io, auto& i) { s3s3d1_bn2_fields(io, i); });
}
Word encode(const S2Bn& layout) {
  return write_layout(layout, [](auto& io, auto& i) { s2_bn_fields(io, i); });
}
Word encode(const S2Bnpl2& layout) {
  return write_layout(layout, [](auto& io, auto& i) { s2_bnpl2_fields(io, i); });
}
Word encode(const S3S3D3Tt& layout) {
  return write_layout(layout, [](auto& io, auto& i) { s3s3d3_tt_fields(io, i); });
}
Word encode(const CtrlIm& layout) {
  return write_layout(layout, [](auto& io, auto& i) { ctrl_im_fields(io, i); });
}

Instruction decode(const Word& word) {
  const std::optional<Opcode> opcode = opcode_from_byte(word.opcode_byte());
  if (!opcode) return RawWord{word};
  switch (*opcode) {
    case Opcode::batch_norm_stats:
    case Opcode::batch_norm_stats2:
    case Opcode::batch_norm_aggregate:
    case Opcode::transpose_batch_norm_stats2:
      return decode_as<S4D2Bn>(word);
    case Opcode::batch_norm_grad_accumulate:
      return decode_as<S3S3D1Bn>(word);
    case Opcode::batch_norm_grad_accumulate2:
      return decode_as<S3S3D1Bn2>(word);
    case Opcode::batch_norm_param_load:
      return decode_as<S2Bn>(word);
    case Opcode::batch_norm_param_load2:
      return decode_as<S2Bnpl2>(word);
    case Opcode::batch_norm_back_prop:
      return decode_as<S3S3D3Tt>(word);
    case Opcode::load_parameter_ram:
      return decode_as<CtrlIm>(word);
  }
  return RawWord{word};
}

namespace {

Word encode_one(const RawWord& raw) { return raw.word; }
template <class Layout>
Word encode_one(const Layout& layout) {
  return encode(layout);
}

}  // namespace

Word encode(const Instruction& instruction) {
  return std::visit([](const auto& layout) { return encode_one(layout); }, instruction);
}

}  // namespace dve::isa
