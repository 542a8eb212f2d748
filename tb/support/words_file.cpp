#include "words_file.h"

#include <cstring>
#include <stdexcept>

#include "process.h"
#include "words.h"

namespace dve::testing_support {
namespace {

isa::S3S3D1Bn2 grad_accumulate(std::uint16_t n) {
  const WordBuilder build(isa::Generation::cayman);
  const std::uint32_t dy = n <= 1024 ? 0x1000 : 0x10000, parameters = n <= 1024 ? 0x3000 : 0x20000;
  return build.grad_accumulate2(row(sbuf(0, 0), n), row(sbuf(0, dy), n), row(sbuf(0, parameters), 3),
                                row(sbuf(0, parameters + 0x100), 1), row(sbuf(0, parameters + 0x104), 1), 4);
}

}  // namespace

isa::Word grad_accumulate_word(std::uint16_t n, std::uint16_t results) {
  isa::S3S3D1Bn2 word = grad_accumulate(n);
  word.dst.num_elem[0] = results;
  return isa::encode(word);
}

isa::Word waiting_word() {
  isa::S3S3D1Bn2 word = grad_accumulate(8);
  word.events.wait_mode = isa::WaitMode::sem_ge_imm;
  word.events.wait_idx = 5;
  word.events.semaphore_value = 1;
  return isa::encode(word);
}

void write_program(const std::string& path, const std::vector<isa::Word>& words) {
  std::string bytes;
  for (const isa::Word& word : words) bytes.append(reinterpret_cast<const char*>(word.bytes.data()), word.bytes.size());
  write_text(path, bytes);
}

void write_npy_fp32(const std::string& path, const std::vector<std::size_t>& shape, const std::vector<float>& values) {
  std::string tuple;
  for (std::size_t extent : shape) tuple += std::to_string(extent) + ",";
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + tuple + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header;
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  write_text(path, text);
}

std::vector<float> read_npy_fp32(const std::string& path) {
  const std::string text = read_text(path);
  if (text.size() < 10 || text.find("'<f4'") == std::string::npos) throw std::runtime_error(path + " is no <f4 array");
  const std::size_t begin = 10 + static_cast<unsigned char>(text[8]) + 256u * static_cast<unsigned char>(text[9]);
  std::vector<float> values((text.size() - begin) / sizeof(float));
  std::memcpy(values.data(), text.data() + begin, values.size() * sizeof(float));
  return values;
}

}  // namespace dve::testing_support
