// The files of assets/ and uplot/, put into the program by the build (assets.cmake).
#pragma once

#include <string_view>

namespace dve::page {

extern const std::string_view kTemplate, kStyle, kScript, kUplotStyle, kUplotScript, kUplotLicence;

}  // namespace dve::page
