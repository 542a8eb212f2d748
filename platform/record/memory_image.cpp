#include "memory_image.h"

#include <algorithm>

namespace dve::record {

MemoryImage::Page& MemoryImage::page(std::uint64_t address) {
  const std::uint64_t number = address / kPageBytes;
  if (last_ == nullptr || number != last_number_) {
    std::unique_ptr<Page>& found = pages_[number];
    if (!found) found = std::make_unique<Page>();
    last_ = found.get();
    last_number_ = number;
  }
  return *last_;
}

void MemoryImage::read(std::uint64_t address, const std::uint8_t* data, std::size_t size) {
  for (const std::uint8_t* const end = data + size; data != end;) {
    Page& p = page(address);
    const std::size_t first = address % kPageBytes;
    const std::size_t last = std::min<std::size_t>(kPageBytes, first + static_cast<std::size_t>(end - data));
    for (std::size_t at = first; at < last; ++at, ++data) {
      if (p.known[at] || p.written[at]) continue;
      p.known[at] = true;
      p.bytes[at] = *data;
    }
    address += last - first;
  }
}

void MemoryImage::write(std::uint64_t address, std::size_t size) {
  while (size > 0) {
    Page& p = page(address);
    const std::size_t first = address % kPageBytes;
    const std::size_t last = std::min<std::size_t>(kPageBytes, first + size);
    for (std::size_t at = first; at < last; ++at) p.written[at] = true;
    address += last - first;
    size -= last - first;
  }
}

std::vector<Run> MemoryImage::runs(Bits Page::*bits, std::uint64_t boundary) const {
  std::vector<Run> list;
  for (const auto& [number, page] : pages_) {
    for (std::size_t at = 0; at < kPageBytes; ++at) {
      if (!((*page).*bits)[at]) continue;
      const std::uint64_t address = number * kPageBytes + at;
      const bool follows = !list.empty() && list.back().address + list.back().bytes == address;
      if (!follows || address % boundary == 0) list.push_back({address, 0});
      ++list.back().bytes;
    }
  }
  return list;
}

std::vector<Run> MemoryImage::initial_runs(std::uint64_t boundary) const { return runs(&Page::known, boundary); }
std::vector<Run> MemoryImage::written_runs(std::uint64_t boundary) const { return runs(&Page::written, boundary); }

std::vector<std::uint8_t> MemoryImage::initial(const Run& run) const {
  std::vector<std::uint8_t> contents;
  contents.reserve(run.bytes);
  for (std::uint64_t address = run.address; address != run.address + run.bytes;) {
    const Page& p = *pages_.at(address / kPageBytes);
    const std::size_t first = address % kPageBytes;
    const std::size_t size = std::min<std::uint64_t>(kPageBytes - first, run.address + run.bytes - address);
    contents.insert(contents.end(), p.bytes.begin() + static_cast<std::ptrdiff_t>(first),
                    p.bytes.begin() + static_cast<std::ptrdiff_t>(first + size));
    address += size;
  }
  return contents;
}

}  // namespace dve::record
