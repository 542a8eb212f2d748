#include "plan_walker.h"

#include <fmt/format.h>

namespace dve::test {
namespace {

using isa::Place;
using runtime::ChannelRange;
using runtime::ElementRange;

std::string tile(const char* what, const ChannelRange& c, const ElementRange& e) {
  return fmt::format("{} c{}+{} e{}+{}", what, c.first, c.count, e.first, e.count);
}
std::string vector(const char* what, const ChannelRange& c) { return fmt::format("{} c{}+{}", what, c.first, c.count); }

class Walker {
 public:
  Walker(const runtime::Program& program, Coverage& coverage) : p_(program), coverage_(coverage) {}

  std::vector<std::string> walk() {
    all(p_.initial);
    for (const isa::Word& w : p_.words) word(w);
    if (requests_ != p_.steps.size() || done_ != p_.steps.size()) {
      problem(fmt::format("{} steps, {} requests, {} performed", p_.steps.size(), requests_, done_));
    }
    all(p_.final);
    return problems_;
  }

 private:
  struct Written {
    std::uint64_t end;
    std::string label;
  };
  using Range = std::pair<isa::Space, std::uint64_t>;

  void problem(const std::string& text) { problems_.push_back(text); }

  void write(const Place& place, std::uint64_t bytes, const std::string& label) {
    inside(place, bytes, label);
    const std::uint64_t begin = place.offset, end = begin + bytes;
    for (auto it = memory_.begin(); it != memory_.end();) {
      const bool overlaps = it->first.first == place.space && it->first.second < end && it->second.end > begin;
      it = overlaps ? memory_.erase(it) : std::next(it);
    }
    memory_[{place.space, begin}] = {end, label};
  }
  // Label of what lies at the place, which must hold `bytes` bytes of it.
  std::string read(const Place& place, std::uint64_t bytes) {
    inside(place, bytes, "read");
    const auto it = memory_.find({place.space, place.offset});
    return it == memory_.end() || it->second.end < place.offset + bytes ? "nothing" : it->second.label;
  }
  void expect(const Place& place, std::uint64_t bytes, const std::string& label) {
    const std::string found = read(place, bytes);
    if (found != label)
      problem(
          fmt::format("found '{}', expected '{}' at {}+{}", found, label, isa::to_string(place.space), place.offset));
  }
  void inside(const Place& place, std::uint64_t bytes, const std::string& what) {
    const isa::SpaceGeometry& g = isa::geometry(p_.request.generation, place.space);
    if (isa::number(place.partition) != 0) problem(what + ": not at partition 0");
    if (!g.exists() || place.offset + bytes > g.active_per_partition.value)
      problem(what + ": outside the active bytes");
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
  void all(const runtime::Actions& actions) {
    for (const runtime::Action& action : actions) {
      std::visit([&](const auto& a) { perform(a); }, action);
    }
  }
  void perform(const runtime::LoadTensor& a) {
    const char* name = a.tensor == runtime::Tensor::dy ? "dy" : a.tensor == runtime::Tensor::x ? "x" : "x_norm";
    aligned(a.place);
    write(a.place, bytes(a.elements.count), tile(name, a.channels, a.elements));
    if (a.tensor == runtime::Tensor::x_norm && !p_.request.statistics_given && !inv_std_known_)
      problem("x_norm before inv_std");
  }
  void perform(const runtime::LoadVector& a) {
    aligned(a.place);
    write(a.place, 4, vector(a.vector == runtime::Vector::mean ? "mean" : "inv_std", a.channels));
  }
  void perform(const runtime::StoreStatistics& a) {
    expect(a.place, 8, vector("mean", a.channels));
    var_known_ = true;
  }
  void perform(const runtime::ComputeInvStd& a) {
    if (!var_known_) problem("inv_std before the variance");
    aligned(a.place);
    write(a.place, 4, vector("inv_std", a.channels));
    inv_std_known_ = true;
  }
  void perform(const runtime::WriteA& a) {
    if (!p_.request.statistics_given && !inv_std_known_) problem("A before inv_std");
    write(a.place, 8, vector("A", a.channels));
  }
  void perform(const runtime::AddTileSums& a) {
    std::uint64_t covered = 0;
    for (const Place& from : a.tiles) {
      const std::string label = read(from, 12);
      const std::string start = fmt::format("sums c{}+{} e{}+", a.channels.first, a.channels.count, covered);
      if (label.rfind(start, 0) != 0)
        return problem(fmt::format("tile sums out of order: {}, expected {}", label, start));
      covered += std::stoull(label.substr(start.size()));
    }
    if (covered != p_.request.elements) problem("tile sums do not cover the stream");
    aligned(a.place);
    write(a.place, 12, tile("sums", a.channels, whole()));
  }
  void perform(const runtime::StoreDx& a) {
    expect(a.place, bytes(a.elements.count), tile("dx", a.channels, a.elements));
    coverage_.stored[a.channels.first].push_back(a.elements);
  }
  void perform(const runtime::StoreSums& a) { expect(a.place, 12, tile("sums", a.channels, whole())); }

  // --- device ---
  void word(const isa::Word& w) {
    const isa::Events events = isa::read_events(w);
    if (events.wait_mode != isa::WaitMode::none) {
      if (events.wait_mode != isa::WaitMode::sem_ge_imm || events.wait_idx != 17) problem("unknown wait");
      if (events.semaphore_value != done_ + 1 || requests_ != done_ + 1)
        problem("step is waited for before it is requested");
      if (done_ < p_.steps.size()) all(p_.steps[done_]);
      ++done_;
    } else if (requests_ != done_) {
      problem("a word overtakes the host step");
    }
    switch (static_cast<isa::Opcode>(w.opcode_byte())) {
      case isa::Opcode::load_parameter_ram:
        ram_ += isa::decode_as<isa::CtrlIm>(w).immediate.size();
        break;
      case isa::Opcode::batch_norm_stats2:
        stats(isa::decode_as<isa::S4D2Bn>(w));
        break;
      case isa::Opcode::batch_norm_aggregate:
        aggregate(isa::decode_as<isa::S4D2Bn>(w));
        break;
      case isa::Opcode::batch_norm_grad_accumulate2:
        sums(isa::decode_as<isa::S3S3D1Bn2>(w));
        break;
      case isa::Opcode::batch_norm_param_load:
        param_load(isa::decode_as<isa::S2Bn>(w));
        break;
      case isa::Opcode::batch_norm_back_prop:
        back_prop(isa::decode_as<isa::S3S3D3Tt>(w));
        break;
      default:
        problem(fmt::format("opcode 0x{:02x}", w.opcode_byte()));
    }
    if (events.update_mode != isa::UpdateMode::none) {
      if (events.update_mode != isa::UpdateMode::sem_inc_complete || events.update_idx != 16) problem("unknown update");
      ++requests_;
    }
  }
  // The pass a tensor tile belongs to, from its label "<name> cF+N eF+M".
  static bool parse(const std::string& label, const std::string& name, ChannelRange& c, ElementRange& e) {
    if (label.rfind(name + " c", 0) != 0) return false;
    unsigned first = 0, count = 0;
    unsigned long long efirst = 0, ecount = 0;
    if (std::sscanf(label.c_str() + name.size(), " c%u+%u e%llu+%llu", &first, &count, &efirst, &ecount) != 4)
      return false;
    c = {first, count};
    e = {efirst, ecount};
    return true;
  }
  void stats(const isa::S4D2Bn& w) {
    if (ram_ != 256) problem("statistics before the Parameter-RAM is loaded");
    const std::uint64_t count = w.src.count().value;
    const Place src = place(w.src.start_addr);
    // The chunk lies inside the x tile that begins at or before it.
    for (const auto& [key, written] : memory_) {
      ChannelRange c;
      ElementRange e;
      if (key.first != src.space || key.second > src.offset || written.end < src.offset + bytes(count)) continue;
      if (!parse(written.label, "x", c, e)) return problem("statistics of " + written.label);
      if (c.count != w.num_active_channels) problem("channels of Stats2");
      const std::uint64_t first = e.first + (src.offset - key.second) / bytes(1);
      coverage_.stats[c.first].push_back({first, count});
      const std::uint64_t odd = count / 2, even = count - odd;
      if (w.even_count_bits != numerics::bits_of(static_cast<float>(even)) ||
          w.odd_count_bits != numerics::bits_of(static_cast<float>(odd))) {
        problem("count literals");
      }
      const Place dst = place(w.dst.start_addr);
      write(dst, 24, tile("pair", c, {first, count}));
      return;
    }
    problem("statistics of nothing");
  }
  void aggregate(const isa::S4D2Bn& w) {
    std::uint64_t covered = 0;
    ChannelRange c;
    ElementRange e;
    Place at = place(w.src.start_addr);
    if (!w.src.pattern().contiguous()) problem("triples are not contiguous");
    for (std::uint64_t i = 0; i < w.src.count().value / 6; ++i) {
      const std::string label = read(at, 24);
      if (!parse(label, "pair", c, e) || e.first != covered) return problem("triples out of order: " + label);
      covered += e.count;
      at.offset += 24;
    }
    if (covered != p_.request.elements || w.src.count().value % 6 != 0) problem("triples do not cover the stream");
    if (c.count != w.num_active_channels) problem("channels of Aggregate");
    aligned(place(w.dst.start_addr));
    write(place(w.dst.start_addr), 8, vector("mean", c));
  }
  void sums(const isa::S3S3D1Bn2& w) {
    const std::uint64_t count = w.src0.count().value;
    ChannelRange c;
    ElementRange e;
    const std::string label = read(place(w.src0.start_addr), bytes(count));
    if (!parse(label, "x", c, e) || e.count != count || c.count != w.num_active_channels)
      return problem("src0 is " + label);
    expect(place(w.src1.start_addr), bytes(count), tile("dy", c, e));
    expect(place(w.imm0.pointer()), 4, vector("mean", c));
    expect(place(w.imm1.pointer()), 4, vector("inv_std", c));
    aligned(place(w.dst.start_addr));
    write(place(w.dst.start_addr), 12, tile("sums", c, e));
    coverage_.sums[c.first].push_back(e);
    channels_ = c;
  }
  void param_load(const isa::S2Bn& w) {
    const bool documented = p_.request.switches.dst_order == numerics::DstOrder::documented;
    const bool staged = p_.request.switches.backprop_form == numerics::BackpropForm::staged;
    const int gamma_slot = documented ? 1 : 2, coupling_slot = documented ? 2 : 1;
    const int c_slot = staged ? coupling_slot : gamma_slot;
    const Place a = place(w.src.start_addr);
    const int stride = 4 * w.src.step_elem[0];
    Place b = a;
    b.offset += static_cast<std::uint32_t>(stride);
    Place block = b;
    block.offset -= 8;
    expect(block, 8, vector("A", channels_));
    if (a.offset != block.offset && a.offset != block.offset + 4)
      problem("A is not read from the elements before the sums");
    expect(b, 12, tile("sums", channels_, whole()));
    if (stride != 4 * c_slot) problem("C is not slot " + std::to_string(c_slot));
    if (w.src.num_elem[0] != 3 || w.src.num_elem[1] != 1) problem("shape of the coefficients");
    expect(place(w.imm0.pointer()), 4, vector("mean", channels_));
    if (w.element_count_bits != numerics::bits_of(static_cast<float>(p_.request.elements))) problem("N");
    if (w.num_active_channels != channels_.count) problem("channels of ParamLoad");
    param_loaded_ = true;
  }
  void back_prop(const isa::S3S3D3Tt& w) {
    const std::uint64_t count = w.src0.count().value;
    const bool normalised = p_.request.switches.backprop_form == numerics::BackpropForm::textbook &&
                            p_.request.switches.src0_is == numerics::Src0Is::x_norm;
    ChannelRange c;
    ElementRange e;
    const std::string label = read(place(w.src0.start_addr), bytes(count));
    if (!parse(label, normalised ? "x_norm" : "x", c, e) || e.count != count) return problem("src0 is " + label);
    if (c.first != channels_.first || !param_loaded_ || c.count != w.num_active_channels)
      problem("BackProp without its ParamLoad");
    expect(place(w.src1.start_addr), bytes(count), tile("dy", c, e));
    aligned(place(w.dst.start_addr));
    write(place(w.dst.start_addr), bytes(count), tile("dx", c, e));
    coverage_.gradients[c.first].push_back(e);
    if (p_.request.switches.backprop_form == numerics::BackpropForm::textbook &&
        numerics::table_entry(p_.request.elements, p_.request.switches.param_ram_index) >= 0 && ram_ != 256) {
      problem("textbook BackProp without the Parameter-RAM");
    }
  }

  const runtime::Program& p_;
  Coverage& coverage_;
  std::vector<std::string> problems_;
  std::map<Range, Written> memory_;
  ChannelRange channels_;  // of the last GradAccum
  bool param_loaded_ = false, var_known_ = false, inv_std_known_ = false;
  std::uint64_t requests_ = 0, done_ = 0;
  std::size_t ram_ = 0;
};

}  // namespace

std::vector<std::string> walk(const runtime::Program& program, Coverage& coverage) {
  return Walker(program, coverage).walk();
}

}  // namespace dve::test
