#include "plan_walker.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "interleaving.h"

namespace dve::test {
namespace {

using isa::Place;
using runtime::ChannelRange;
using runtime::ElementRange;

// What lies in memory: elements of a stream (x, x_norm, dy, dx, y), sums or statistics of such elements, or a vector,
// whose element range is empty.
struct Value {
  std::string what;
  ChannelRange channels;
  ElementRange elements;
};
bool operator==(const Value& a, const Value& b) {
  return a.what == b.what && a.channels.first == b.channels.first && a.channels.count == b.channels.count &&
         a.elements.first == b.elements.first && a.elements.count == b.elements.count;
}
std::string to_string(const Value& v) {
  return fmt::format("{} c{}+{} e{}+{}", v.what, v.channels.first, v.channels.count, v.elements.first,
                     v.elements.count);
}
Value vector(const char* what, const ChannelRange& c) { return {what, c, {}}; }

class Walker : public Executor {
 public:
  Walker(const runtime::Program& program, Coverage& coverage) : p_(program), coverage_(coverage) {}

  std::vector<std::string> walk(std::uint32_t seed) {
    all(p_.initial);
    for (const std::string& text : interleave(p_, *this, seed)) problem(text);
    all(p_.final);
    return problems_;
  }

 private:
  struct Written {
    std::uint64_t end;
    Value value;
  };
  using Start = std::pair<isa::Space, std::uint64_t>;

  void problem(const std::string& text) { problems_.push_back(text); }
  bool full() const { return p_.request.step == runtime::Step::full; }

  // --- memory ---
  bool is_stream(const Value& v) const { return v.what == "x" || v.what == "x_norm" || v.what == "dy"; }
  // Bytes [begin, end) of what was written from `at` on.
  Value slice(std::uint64_t at, const Value& v, std::uint64_t begin, std::uint64_t end) const {
    return {v.what, v.channels, {v.elements.first + (begin - at) / bytes(1), (end - begin) / bytes(1)}};
  }
  void write(const Place& place, std::uint64_t size, const Value& value) {
    inside(place, size, value.what);
    const std::uint64_t begin = place.offset, end = begin + size;
    std::vector<std::pair<Start, Written>> remains;
    for (auto it = memory_.begin(); it != memory_.end();) {
      const auto [start, written] = *it;
      const bool overlaps = start.first == place.space && start.second < end && written.end > begin;
      if (overlaps && is_stream(written.value)) {
        if (start.second < begin)
          remains.push_back({start, {begin, slice(start.second, written.value, start.second, begin)}});
        if (written.end > end)
          remains.push_back({{start.first, end}, {written.end, slice(start.second, written.value, end, written.end)}});
      }
      it = overlaps ? memory_.erase(it) : std::next(it);
    }
    memory_.insert(remains.begin(), remains.end());
    memory_[{place.space, begin}] = {end, value};
  }
  // What lies in the `size` bytes from the place on.
  Value read(const Place& place, std::uint64_t size) {
    inside(place, size, "read");
    auto it = memory_.upper_bound({place.space, place.offset});
    if (it == memory_.begin()) return {"nothing", {}, {}};
    --it;
    const auto& [start, written] = *it;
    if (start.first != place.space || written.end < place.offset + size) return {"nothing", {}, {}};
    if (is_stream(written.value)) return slice(start.second, written.value, place.offset, place.offset + size);
    return start.second == place.offset ? written.value : Value{"nothing", {}, {}};
  }
  void expect(const Place& place, std::uint64_t size, const Value& value) {
    const Value found = read(place, size);
    if (!(found == value))
      problem(fmt::format("found '{}', expected '{}' at {}+{}", to_string(found), to_string(value),
                          isa::to_string(place.space), place.offset));
  }
  void inside(const Place& place, std::uint64_t size, const std::string& what) {
    const isa::SpaceGeometry& g = isa::geometry(p_.request.generation, place.space);
    if (isa::number(place.partition) != 0) problem(what + ": not at partition 0");
    if (!g.exists() || place.offset + size > g.active_per_partition.value) problem(what + ": outside the active bytes");
  }
  void aligned(const Place& place) {
    if (place.offset % 64 != 0) problem(fmt::format("offset {} is not a multiple of 64", place.offset));
  }
  Place place(isa::Addr4 address) {
    const auto found = isa::place_of(address.partition_offset(), p_.request.generation);
    if (!found) problem("address in no memory");
    return found.value_or(Place{});
  }
  std::uint64_t bytes(std::uint64_t elements) const { return elements * isa::storage_size(p_.request.dtype).value; }
  ElementRange whole() const { return {0, p_.request.elements}; }

  // --- host ---
  void step(std::size_t k) override { all(p_.steps[k - 1]); }
  void all(const runtime::Actions& actions) {
    for (const runtime::Action& action : actions) {
      std::visit([&](const auto& a) { perform(a); }, action);
    }
  }
  // A full step leaves the host no arithmetic.
  void only_in_a_backward_step() {
    if (full()) problem("the host computes in a full step");
  }
  void perform(const runtime::LoadTensor& a) {
    const char* name = a.tensor == runtime::Tensor::dy ? "dy" : a.tensor == runtime::Tensor::x ? "x" : "x_norm";
    aligned(a.place);
    if (a.tensor == runtime::Tensor::x_norm) only_in_a_backward_step();
    write(a.place, bytes(a.elements.count), {name, a.channels, a.elements});
    if (a.tensor == runtime::Tensor::x_norm && !inv_std_known(a.channels)) problem("x_norm before inv_std");
  }
  void perform(const runtime::LoadVector& a) {
    aligned(a.place);
    const bool statistics = a.vector == runtime::Vector::mean || a.vector == runtime::Vector::inv_std;
    if (statistics == full()) problem("a vector of the other step");
    const char* name = a.vector == runtime::Vector::mean      ? "mean"
                       : a.vector == runtime::Vector::inv_std ? "inv_std"
                       : a.vector == runtime::Vector::gamma   ? "gamma"
                                                              : "beta";
    write(a.place, 4, vector(name, a.channels));
  }
  void perform(const runtime::StoreStatistics& a) {
    expect(a.place, 4, vector("mean", a.channels));
    expect(behind(a.place, 4), 4, vector("var", a.channels));
    coverage_.stored_vectors[a.channels.first].insert("mean");
  }
  void perform(const runtime::ComputeInvStd& a) {
    only_in_a_backward_step();
    if (coverage_.stored_vectors[a.channels.first].count("mean") == 0) problem("inv_std before the variance");
    aligned(a.place);
    write(a.place, 4, vector("inv_std", a.channels));
    inv_std_known_.insert(a.channels.first);
  }
  bool inv_std_known(const ChannelRange& channels) const {
    return p_.request.statistics_given || inv_std_known_.count(channels.first) != 0;
  }
  void perform(const runtime::WriteA& a) {
    only_in_a_backward_step();
    if (!inv_std_known(a.channels)) problem("A before inv_std");
    write(a.place, 8, vector("A", a.channels));
  }
  void perform(const runtime::AddTileSums& a) {
    only_in_a_backward_step();
    std::uint64_t covered = 0;
    for (const Place& from : a.tiles) {
      const Value sums = read(from, 12);
      if (sums.what != "sums" || sums.channels.first != a.channels.first || sums.elements.first != covered)
        return problem(fmt::format("tile sums out of order: {}, expected from {}", to_string(sums), covered));
      covered += sums.elements.count;
    }
    if (covered != p_.request.elements) problem("tile sums do not cover the stream");
    aligned(a.place);
    write(a.place, 12, {"sums", a.channels, whole()});
  }
  void perform(const runtime::StoreDx& a) {
    expect(a.place, bytes(a.elements.count), {"dx", a.channels, a.elements});
    coverage_.stored[a.channels.first].push_back(a.elements);
  }
  // HBM: whole tensors, rows one after the other.
  void perform(const runtime::StageTensor& a) { staged_[a.hbm] = a.tensor == runtime::Tensor::x ? "x" : "dy"; }
  void perform(const runtime::CollectDx& a) {
    if (!results_ || *results_ != a.hbm) problem("dx is not collected where it was stored");
  }
  void transfer(const dma::Transfer& t) override {
    if (const auto reason = dma::problem_of(t, p_.request.generation)) return problem(t.label + ": " + *reason);
    if (t.hbm_end() > p_.hbm_bytes) problem(t.label + ": past the end of HBM");
    if (t.direction == dma::Direction::store) return store(t);
    const auto tensor = staged_.upper_bound(t.hbm);
    if (tensor == staged_.begin()) return problem(t.label + ": nothing there");
    const auto& [base, what] = *std::prev(tensor);
    aligned(t.place);
    write(t.place, t.bytes_per_partition, in_hbm(what, base, t));
  }
  void store(const dma::Transfer& t) {
    for (const runtime::Action& action : p_.final) {
      if (const auto* collect = std::get_if<runtime::CollectDx>(&action)) results_ = collect->hbm;
    }
    if (!results_ || t.hbm < *results_) return problem(t.label + ": not where dx belongs");
    const Value dx = in_hbm("dx", *results_, t);
    expect(t.place, t.bytes_per_partition, dx);
    coverage_.stored[dx.channels.first].push_back(dx.elements);
  }
  Value in_hbm(const std::string& what, std::uint64_t base, const dma::Transfer& t) {
    const std::uint64_t row = bytes(p_.request.elements);
    if (t.row_stride != row) problem(t.label + ": wrong stride");
    const auto channel = static_cast<std::uint32_t>((t.hbm - base) / row);
    if (channel + t.channels > p_.request.channels) problem(t.label + ": past the end of its tensor");
    return {what, {channel, t.channels}, {(t.hbm - base) % row / bytes(1), t.bytes_per_partition / bytes(1)}};
  }
  void perform(const runtime::StoreY& a) {
    expect(a.place, bytes(a.elements.count), {"y", a.channels, a.elements});
    coverage_.stored_y[a.channels.first].push_back(a.elements);
  }
  void perform(const runtime::StoreInvStd& a) {
    expect(a.place, 4, vector("inv_std", a.channels));
    coverage_.stored_vectors[a.channels.first].insert("inv_std");
  }
  void perform(const runtime::StoreSums& a) {
    expect(a.place, 12, {"sums", a.channels, whole()});
    coverage_.stored_vectors[a.channels.first].insert("sums");
  }
  static Place behind(Place place, int by) {
    place.offset += static_cast<std::uint32_t>(by);
    return place;
  }

  // --- engines ---
  void word(isa::Engine engine, const isa::Word& w) override {
    if (!isa::engines_of(w.opcode_byte()).contains(engine) && !isa::is_control_opcode(w.opcode_byte()))
      problem(fmt::format("{} on {}", isa::opcode_name(w.opcode_byte()), isa::to_string(engine)));
    switch (static_cast<isa::Opcode>(w.opcode_byte())) {
      case isa::Opcode::load_parameter_ram:
        ram_ += isa::decode_as<isa::CtrlIm>(w).immediate.size();
        break;
      case isa::Opcode::batch_norm_stats2:
        return stats(isa::decode_as<isa::S4D2Bn>(w));
      case isa::Opcode::batch_norm_aggregate:
        return aggregate(isa::decode_as<isa::S4D2Bn>(w));
      case isa::Opcode::batch_norm_grad_accumulate2:
        return sums(isa::decode_as<isa::S3S3D1Bn2>(w));
      case isa::Opcode::batch_norm_param_load:
        return param_load(isa::decode_as<isa::S2Bn>(w));
      case isa::Opcode::batch_norm_back_prop:
        return back_prop(isa::decode_as<isa::S3S3D3Tt>(w));
      case isa::Opcode::activation_table_load:
        table_ = isa::decode_as<isa::CtrlTable>(w).set_index;
        break;
      case isa::Opcode::activate:
        return activate(isa::decode_as<isa::S3D3Ac>(w));
      case isa::Opcode::tensor_tensor_arith_op:
        return tensor_tensor(isa::decode_as<isa::S3S3D3Tt>(w));
      case isa::Opcode::tensor_scalar_arith_op:
        return tensor_scalar(isa::decode_as<isa::S3D3Ts>(w));
      case isa::Opcode::event_semaphore:
      case isa::Opcode::drain:
        break;
      default:
        problem(fmt::format("opcode 0x{:02x}", w.opcode_byte()));
    }
  }
  void stats(const isa::S4D2Bn& w) {
    if (ram_ != 256) problem("statistics before the Parameter-RAM is loaded");
    const std::uint64_t count = w.src.count().value;
    const Value x = read(place(w.src.start_addr), bytes(count));
    if (x.what != "x") return problem("statistics of " + to_string(x));
    if (x.channels.count != w.num_active_channels) problem("channels of Stats2");
    coverage_.stats[x.channels.first].push_back(x.elements);
    const std::uint64_t odd = count / 2, even = count - odd;
    if (w.even_count_bits != numerics::bits_of(static_cast<float>(even)) ||
        w.odd_count_bits != numerics::bits_of(static_cast<float>(odd))) {
      problem("count literals");
    }
    write(place(w.dst.start_addr), 24, {"pair", x.channels, x.elements});
  }
  void aggregate(const isa::S4D2Bn& w) {
    std::uint64_t covered = 0;
    ChannelRange c;
    Place at = place(w.src.start_addr);
    if (!w.src.pattern().contiguous()) problem("triples are not contiguous");
    for (std::uint64_t i = 0; i < w.src.count().value / 6; ++i) {
      const Value pair = read(at, 24);
      if (pair.what != "pair" || pair.elements.first != covered)
        return problem("triples out of order: " + to_string(pair));
      c = pair.channels;
      covered += pair.elements.count;
      at.offset += 24;
    }
    if (covered != p_.request.elements || w.src.count().value % 6 != 0) problem("triples do not cover the stream");
    if (c.count != w.num_active_channels) problem("channels of Aggregate");
    const Place to = place(w.dst.start_addr);
    aligned(to);
    write(to, 4, vector("mean", c));
    write(behind(to, 4), 4, vector("var", c));
  }
  void sums(const isa::S3S3D1Bn2& w) {
    const std::uint64_t count = w.src0.count().value;
    const Value x = read(place(w.src0.start_addr), bytes(count));
    const ChannelRange c = x.channels;
    if (x.what != "x" || c.count != w.num_active_channels) return problem("src0 is " + to_string(x));
    expect(place(w.src1.start_addr), bytes(count), {"dy", c, x.elements});
    expect(place(w.imm0.pointer()), 4, vector("mean", c));
    expect(place(w.imm1.pointer()), 4, vector("inv_std", c));
    aligned(place(w.dst.start_addr));
    write(place(w.dst.start_addr), 12, {"sums", c, x.elements});
    coverage_.sums[c.first].push_back(x.elements);
    channels_ = c;
  }
  void param_load(const isa::S2Bn& w) {
    const bool documented = p_.request.switches.dst_order == numerics::DstOrder::documented;
    const int gamma_slot = documented ? 1 : 2, coupling_slot = documented ? 2 : 1;
    const int c_slot = staged() ? coupling_slot : gamma_slot;
    const Place a = place(w.src.start_addr);
    const int stride = 4 * w.src.step_elem[0];
    const Place b = behind(a, stride);
    const Place block = behind(b, -8);
    expect(block, 8, vector("A", channels_));
    if (a.offset != block.offset && a.offset != block.offset + 4)
      problem("A is not read from the elements before the sums");
    expect(b, 12, {"sums", channels_, whole()});
    if (stride != 4 * c_slot) problem("C is not slot " + std::to_string(c_slot));
    if (w.src.num_elem[0] != 3 || w.src.num_elem[1] != 1) problem("shape of the coefficients");
    expect(place(w.imm0.pointer()), 4, vector("mean", channels_));
    if (w.element_count_bits != numerics::bits_of(static_cast<float>(p_.request.elements))) problem("N");
    if (w.num_active_channels != channels_.count) problem("channels of ParamLoad");
    flops_ = channels_;
  }
  bool staged() const { return p_.request.switches.backprop_form == numerics::BackpropForm::staged; }
  void back_prop(const isa::S3S3D3Tt& w) {
    const std::uint64_t count = w.src0.count().value;
    const bool normalised = !staged() && p_.request.switches.src0_is == numerics::Src0Is::x_norm;
    const Value x = read(place(w.src0.start_addr), bytes(count));
    if (x.what != (normalised ? "x_norm" : "x")) return problem("src0 is " + to_string(x));
    if (!flops_ || x.channels.first != flops_->first || x.channels.count != w.num_active_channels)
      problem("BackProp without its ParamLoad");
    expect(place(w.src1.start_addr), bytes(count), {"dy", x.channels, x.elements});
    result(place(w.dst.start_addr), bytes(count), {"dx", x.channels, x.elements});
    coverage_.gradients[x.channels.first].push_back(x.elements);
    if (!staged() && numerics::table_entry(p_.request.elements, p_.request.switches.param_ram_index) >= 0 &&
        ram_ != 256) {
      problem("textbook BackProp without the Parameter-RAM");
    }
  }
  // A tile of dx or y. Buffers of one tile begin at a multiple of 64; whole streams hold tiles side by side.
  void result(const Place& to, std::uint64_t size, const Value& value) {
    if ((!full() && !p_.request.place.hbm.any()) || value.elements.first == 0) aligned(to);
    write(to, size, value);
  }

  // --- words of a full step ---
  void channels_are(const Value& v, std::uint8_t active) {
    if (v.channels.count != active) problem(fmt::format("{} channels of {}", active, to_string(v)));
  }
  void activate(const isa::S3D3Ac& w) {
    if (w.activation_func == isa::ActivationFunc::rsqrt) return inverse_root(w);
    if (w.activation_func != isa::ActivationFunc::identity) return problem("another function");
    const std::uint64_t count = w.src.count().value;
    const Value x = read(place(w.src.start_addr), bytes(count));
    if (x.what != "x") return problem("y of " + to_string(x));
    channels_are(x, w.num_active_channels);
    if (w.scale_src != 1 || w.bias_src_n != 0) return problem("scale and shift are no pointers");
    expect(place(w.scale.pointer()), 4, vector("scale", x.channels));
    expect(place(w.bias.pointer()), 4, vector("shift", x.channels));
    result(place(w.dst.start_addr), bytes(count), {"y", x.channels, x.elements});
    coverage_.forward[x.channels.first].push_back(x.elements);
  }
  void inverse_root(const isa::S3D3Ac& w) {
    if (table_ != isa::table_set_of(isa::ActivationFunc::rsqrt)) problem("rsqrt before its table");
    const Value var = read(place(w.src.start_addr), 4);
    if (var.what != "var" || w.src.count().value != 1) return problem("rsqrt of " + to_string(var));
    channels_are(var, w.num_active_channels);
    const std::uint32_t eps = numerics::bits_of(static_cast<float>(p_.request.eps));
    if (w.scale_src != 0 || w.scale.raw != 0x3F800000 || w.bias_src_n != 1 || w.bias.raw != eps)
      problem("not rsqrt(1 * var + eps)");
    write(place(w.dst.start_addr), 4, vector("inv_std", var.channels));
  }
  void tensor_tensor(const isa::S3S3D3Tt& w) {
    const Place a = place(w.src0.start_addr), b = place(w.src1.start_addr), to = place(w.dst.start_addr);
    if (w.op == isa::AluOp::add) return add_sums(w, a, b, to);
    const Value gamma = read(a, 4);
    if (w.op != isa::AluOp::mult || gamma.what != "gamma" || w.src0.count().value != 1)
      return problem("neither a scale nor tile sums: " + to_string(gamma));
    channels_are(gamma, w.num_active_channels);
    expect(b, 4, vector("inv_std", gamma.channels));
    write(to, 4, vector("scale", gamma.channels));
  }
  void add_sums(const isa::S3S3D3Tt& w, const Place& a, const Place& b, const Place& to) {
    const Value before = read(a, 12), next = read(b, 12);
    if (before.what != "sums" || next.what != "sums" || before.elements.first != 0 ||
        next.elements.first != before.elements.count || next.channels.first != before.channels.first)
      return problem(fmt::format("{} and {} are added", to_string(before), to_string(next)));
    channels_are(next, w.num_active_channels);
    if (w.src0.count().value != 3 || w.dst.count().value != 3) problem("three sums are added");
    write(to, 12, {"sums", before.channels, {0, before.elements.count + next.elements.count}});
  }
  void tensor_scalar(const isa::S3D3Ts& w) {
    if (w.op0 == isa::AluOp::subtract) return normalise(w);
    if (w.op0 != isa::AluOp::mult) return problem("another TensorScalar");
    const Place from = place(w.src.start_addr), to = place(w.dst.start_addr);
    const Value source = read(from, 4);
    channels_are(source, w.num_active_channels);
    if (source.what == "scale") {
      const float factor = staged() ? 1.0F / static_cast<float>(p_.request.elements) : 1.0F;
      if (w.op1 != isa::AluOp::bypass || w.imm0_src != 0 || w.imm0.raw != numerics::bits_of(factor) ||
          w.src.step_elem[0] != 0 || w.src.count().value != 2)
        problem("not A, twice");
      return write(to, 8, vector("A", source.channels));
    }
    expect(from, 4, vector("mean", source.channels));
    if (w.op1 != isa::AluOp::subtract || w.reverse_operands != 2 || w.imm0_src != 1 || w.imm1_src != 1)
      return problem("not beta - mean * scale");
    expect(place(w.imm0.pointer()), 4, vector("scale", source.channels));
    expect(place(w.imm1.pointer()), 4, vector("beta", source.channels));
    write(to, 4, vector("shift", source.channels));
  }
  void normalise(const isa::S3D3Ts& w) {
    const std::uint64_t count = w.src.count().value;
    const Value x = read(place(w.src.start_addr), bytes(count));
    if (x.what != "x" || w.op1 != isa::AluOp::mult || w.reverse_operands != 0 || w.imm0_src != 1 || w.imm1_src != 1)
      return problem("not (x - mean) * inv_std: " + to_string(x));
    channels_are(x, w.num_active_channels);
    expect(place(w.imm0.pointer()), 4, vector("mean", x.channels));
    expect(place(w.imm1.pointer()), 4, vector("inv_std", x.channels));
    write(place(w.dst.start_addr), bytes(count), {"x_norm", x.channels, x.elements});
  }

  const runtime::Program& p_;
  Coverage& coverage_;
  std::vector<std::string> problems_;
  std::map<Start, Written> memory_;
  std::map<std::uint64_t, std::string> staged_;  // tensors in HBM, by where they begin
  std::optional<std::uint64_t> results_;         // where dx begins in HBM
  ChannelRange channels_;                        // of the last GradAccum
  std::optional<ChannelRange> flops_;            // of the last ParamLoad
  std::optional<std::uint8_t> table_;            // of ACT
  std::set<std::uint32_t> inv_std_known_;        // to the host; first channels
  std::size_t ram_ = 0;
};

}  // namespace

std::vector<std::string> walk(const runtime::Program& program, Coverage& coverage, std::uint32_t seed) {
  return Walker(program, coverage).walk(seed);
}

}  // namespace dve::test
