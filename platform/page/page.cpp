#include "page.h"

namespace dve::page {

std::string page(const std::filesystem::path& folder, const std::optional<std::filesystem::path>& other) {
  return html_of(page_data(folder, other));
}

}  // namespace dve::page
