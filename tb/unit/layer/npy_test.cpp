#include "test_files.h"

namespace dve::test {
namespace {

using layer::NpyArray;
using layer::NpyType;

TEST(Npy, ReadsAllVersions) {
  TemporaryFolder folder;
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  for (const char version : {'\1', '\2', '\3'}) {
    put(folder / "a.npy", npy("<f4", "(2, 3)", raw(values), version));
    const NpyArray array = layer::read_npy(folder / "a.npy");
    EXPECT_EQ(array.type, NpyType::f4);
    EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(array.count(), 6U);
    EXPECT_EQ(layer::float_values(array), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(Npy, AcceptsOtherWritersOfTheHeader) {
  TemporaryFolder folder;
  const std::string data = raw(std::vector<float>{7});
  for (const std::string header : {"{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"<f4\"}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,)}  \n",
                                   "{'fortran_order': False, 'shape': (1, 1, 1), 'descr': '<f4'}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (), }"}) {
    put(folder / "a.npy", npy_with_header(header, data));
    EXPECT_EQ(layer::float_values(layer::read_npy(folder / "a.npy")), std::vector<double>{7}) << header;
  }
}

TEST(Npy, FloatValuesAreExact) {
  TemporaryFolder folder;
  put(folder / "a.npy", npy("<f2", "(3,)", raw(std::vector<std::uint16_t>{0x3C00, 0x0001, 0x7BFF})));
  EXPECT_EQ(layer::float_values(layer::read_npy(folder / "a.npy")), (std::vector<double>{1, 0x1p-24, 65504}));
  put(folder / "a.npy", npy("<u2", "(2,)", raw(std::vector<std::uint16_t>{0x3F80, 0xC049})));
  EXPECT_EQ(layer::float_values(layer::read_npy(folder / "a.npy")), (std::vector<double>{1, -3.140625}));
  put(folder / "a.npy", npy("<f8", "(1,)", raw(std::vector<double>{0.1})));
  EXPECT_EQ(layer::float_values(layer::read_npy(folder / "a.npy")), std::vector<double>{0.1});
}

TEST(Npy, WritesAllTypesAsTheFormatDemands) {
  TemporaryFolder folder;
  const std::pair<NpyType, std::string> types[] = {{NpyType::f2, "<f2"}, {NpyType::f4, "<f4"}, {NpyType::f8, "<f8"},
                                                   {NpyType::i1, "|i1"}, {NpyType::u1, "|u1"}, {NpyType::i2, "<i2"},
                                                   {NpyType::u2, "<u2"}, {NpyType::i4, "<i4"}, {NpyType::u4, "<u4"},
                                                   {NpyType::i8, "<i8"}, {NpyType::u8, "<u8"}};
  for (const auto& [type, descr] : types) {
    const std::size_t bytes = static_cast<std::size_t>(descr[2] - '0');
    EXPECT_EQ(layer::element_bytes(type), bytes) << descr;
    NpyArray array{type, {2, 1}, std::vector<std::uint8_t>(2 * bytes, 0x5A)};
    layer::write_npy(folder / "a.npy", array);
    const std::string text = get(folder / "a.npy");
    ASSERT_EQ(text.size(), 128 + 2 * bytes) << descr;  // data on a 64-byte boundary
    EXPECT_EQ(text.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10)) << descr;
    EXPECT_EQ(text.substr(10, text.find('}') - 9),
              "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2, 1), }");
    EXPECT_EQ(text[127], '\n');
    EXPECT_EQ(text.substr(128), std::string(2 * bytes, 0x5A));
    const NpyArray back = layer::read_npy(folder / "a.npy");
    EXPECT_EQ(back.type, type);
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.data, array.data);
  }
  layer::write_npy(folder / "a.npy", layer::npy_vector({1, 2, 3}));
  EXPECT_NE(get(folder / "a.npy").find("'shape': (3,), }"), std::string::npos);
}

TEST(Npy, ArrayTypesOfDeviceDtypes) {
  EXPECT_EQ(layer::npy_type(isa::Dtype::fp32), NpyType::f4);
  EXPECT_EQ(layer::npy_type(isa::Dtype::fp32r), NpyType::f4);
  EXPECT_EQ(layer::npy_type(isa::Dtype::fp16), NpyType::f2);
  EXPECT_EQ(layer::npy_type(isa::Dtype::bf16), NpyType::u2);
  EXPECT_EQ(layer::npy_type(isa::Dtype::fp8_e4m3), NpyType::u1);
  EXPECT_EQ(layer::npy_type(isa::Dtype::int8), NpyType::i1);
  EXPECT_EQ(layer::npy_type(isa::Dtype::uint64), NpyType::u8);
  EXPECT_EQ(layer::npy_type(isa::Dtype::fp4_e2m1), std::nullopt);
  EXPECT_EQ(layer::layer_dtype(NpyType::u2), isa::Dtype::bf16);
  EXPECT_EQ(layer::layer_dtype(NpyType::f8), std::nullopt);
}

TEST(Npy, RefusesBadFilesWithOneLine) {
  TemporaryFolder folder;
  const std::string one = raw(std::vector<float>{1});
  const auto header = [&](const std::string& text) { return npy_with_header(text, one); };
  const std::pair<std::string, std::string> cases[] = {
      {"", "too short"},
      {"\x93NUM", "too short"},
      {"PK\x03\x04 a zip file", "not a .npy file"},
      {std::string("\x93NUMPY\x04\x00\x10\x00{}", 12), "version 4.0"},
      {std::string("\x93NUMPY\x01\x05\x10\x00{}", 12), "version 1.5"},
      {std::string("\x93NUMPY\x01\x00\x10", 9), "truncated"},
      {std::string("\x93NUMPY\x01\x00\xFF\xFF{}", 12), "truncated"},
      {std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{}", 14), "truncated"},
      {npy("<f4", "(-1,)", one), "non-negative integers"},
      {npy("<f4", "(1.5,)", one), "non-negative integers"},
      {npy("<f4", "('a',)", one), "non-negative integers"},
      {npy("<f4", "(1 1)", one), "non-negative integers"},
      {npy("<f4", "(,)", one), "non-negative integers"},
      {npy("<f4", "(1)", one), "expected a tuple"},
      {npy("<f4", "1", one), "expected '('"},
      {npy("<f4", "[1]", one), "expected '('"},
      {npy("<f4", "(1,", one), "non-negative integers"},
      {npy("<f4", "(99999999999999999999,)", one), "overflows"},
      {npy("<f4", "(18446744073709551615, 2)", one), "64 bits"},
      {npy("<f4", "(4294967296, 4294967296, 4)", one), "64 bits"},
      {npy("<f4", "(4611686018427387904,)", one), "64 bits"},
      {npy("<f4", "(1000000000000,)", one), "short data"},
      {npy("<f4", "(2,)", one), "short data"},
      {npy("<f4", "(1,)", one + "x"), "trailing data"},
      {npy("<f4", "(0,)", one), "trailing data"},
      {npy(">f4", "(1,)", one), "big-endian"},
      {npy("|O", "(1,)", one), "object dtype"},
      {npy("<c8", "(1,)", one), "unsupported dtype '<c8'"},
      {npy("", "(1,)", one), "structured dtype"},
      {header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"), "malformed"},
      {header("{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}"), "Fortran order"},
      {header("{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}"), "True or False"},
      {header("{'descr': '<f4', 'fortran_order': False}"), "lacks a key"},
      {header("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}"), "each once"},
      {header("{'descr': '<f4', 'other': '<f4', 'fortran_order': False, 'shape': (1,)}"), "header key 'other'"},
      {header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"), "after the dictionary"},
      {header("{'descr': '<f4"), "unterminated"},
      {header("{'des\ncr': '<f4'}"), "unprintable"},
      {header(""), "expected '{'"},
      {header("[1]"), "expected '{'"},
      {npy("<f4",
           "(" +
               std::string(200, '1').replace(0, 198,
                                             [] {
                                               std::string ones;
                                               for (int i = 0; i < 99; ++i) ones += "1,";
                                               return ones;
                                             }()) +
               ")",
           one),
       "32 dimensions"},
  };
  for (const auto& [bytes, expected] : cases) {
    put(folder / "a.npy", bytes);
    const std::string error = input_error([&] { layer::read_npy(folder / "a.npy"); });
    EXPECT_NE(error.find(expected), std::string::npos) << "expected: " << expected << "\ngot: " << error;
    EXPECT_EQ(error.find((folder / "a.npy").string()), 0U) << error;
  }
  EXPECT_NE(input_error([&] { layer::read_npy(folder / "none.npy"); }).find("does not exist"), std::string::npos);
  EXPECT_NE(input_error([&] { layer::read_npy(folder.path()); }).find("directory"), std::string::npos);
}

TEST(Npy, EveryTruncationIsAnError) {
  TemporaryFolder folder;
  const std::string whole = npy("<f4", "(2,)", raw(std::vector<float>{1, 2}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put(folder / "a.npy", whole.substr(0, size));
    input_error([&] { layer::read_npy(folder / "a.npy"); });
  }
}

}  // namespace
}  // namespace dve::test
