// Points of a study in forked children of one prepared process: the same reports as `dve-sim run` writes.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "dve/app/app.h"
#include "dve/warm/warm.h"
#include "sim_checks.h"
#include "support/process.h"

namespace dve {
namespace warm_layer_test {
namespace {

using namespace sim_checks;
using namespace testing_support;
using How = warm::ChildEnd::How;

std::map<std::size_t, warm::ChildEnd> run(app::WarmLayer& layer, const std::vector<config::Effective>& points) {
  std::map<std::size_t, warm::ChildEnd> ends;
  warm::ChildPool pool({2, {}}, [&](std::size_t k) { return layer.report(points[k]); }, {});
  pool.run(points.size(), [&](std::size_t k, const warm::ChildEnd& end) { ends[k] = end; });
  return ends;
}

std::string options_of(const std::vector<std::string>& sets) {
  std::string options;
  for (const std::string& set : sets) options += " --set " + set;
  return options;
}

const std::vector<std::vector<std::string>> kPoints = {{},
                                                       {"timing.dve.clock_mhz=1200"},
                                                       {"timing.dve.fill_drain=65", "memory.port_bytes=2"},
                                                       {"abstraction=at"},
                                                       {"place.x=psum"},
                                                       {"place.x=hbm", "place.dy=hbm", "dma.tile_elements=200"},
                                                       {"numerics.narrow_overflow=saturate"},
                                                       {"generation=sunda"}};

std::vector<config::Effective> points() {
  std::vector<config::Effective> list;
  for (const auto& sets : kPoints) list.push_back(config::load("", sets));
  return list;
}

void expect_reports_of_dve_sim(const app::WarmRequest& request, const std::string& options) {
  const std::vector<config::Effective> list = points();
  app::WarmLayer layer(request, list.front().config);
  for (const config::Effective& point : list) layer.prepare(point.config);
  const auto ends = run(layer, list);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const ScratchFolder out;
    const std::string sets = options_of(kPoints[k]);
    SCOPED_TRACE(options + sets);
    const ProcessResult r = dve_sim("run " + request.layer.string() + " --quiet --out " + out.path() + options + sets);
    ASSERT_EQ(r.code, 0) << r.err;
    ASSERT_EQ(ends.at(k).how, How::answered) << ends.at(k).text;
    EXPECT_EQ(ends.at(k).text, read_text(out / "report.json"));
  }
}

TEST(WarmLayer, ReportsAreThoseOfTheProgram) {
  app::WarmRequest request;
  request.layer = layer_folder("10");
  expect_reports_of_dve_sim(request, "");
}

TEST(WarmLayer, AlsoWithoutDataAndWithOtherOptions) {
  app::WarmRequest request;
  request.layer = layer_folder("7");
  request.data = false;
  request.dtype = isa::Dtype::fp16;
  request.device_statistics = true;
  request.loss_scale = 8;
  expect_reports_of_dve_sim(request, " --no-data --dtype fp16 --device-stats --loss-scale 8");
}

TEST(WarmLayer, EqualProgramsArePlannedOnce) {
  app::WarmRequest request;
  request.layer = layer_folder("7");
  app::WarmLayer layer(request, config::Config());
  for (const char* set : {"timing.dve.clock_mhz=1200", "memory.port_bytes=2", "abstraction=at", "quantum_ns=5"})
    layer.prepare(config::load("", {set}).config);
  EXPECT_EQ(layer.programs(), 1u);
  layer.prepare(config::load("", {"place.dx=psum"}).config);
  EXPECT_EQ(layer.programs(), 2u);
}

TEST(WarmLayer, APointWithoutAProgramFailsAlone) {
  app::WarmRequest request;
  request.layer = layer_folder("7");
  request.step = runtime::Step::full;
  request.data = false;
  app::WarmLayer layer(request, config::Config());
  const auto ends = run(layer, {config::load("", {"place.x=hbm"}), config::load("", {})});
  EXPECT_EQ(ends.at(0).how, How::failed);
  EXPECT_NE(ends.at(0).text.find("place.x is hbm"), std::string::npos) << ends.at(0).text;
  EXPECT_EQ(ends.at(1).how, How::answered) << ends.at(1).text;
}

TEST(WarmLayer, ALimitEndsAPointWithItsStatus) {
  app::WarmRequest request;
  request.layer = layer_folder("7");
  request.max_cycles = 1000;
  app::WarmLayer layer(request, config::Config());
  const auto ends = run(layer, {config::load("", {})});
  ASSERT_EQ(ends.at(0).how, How::answered) << ends.at(0).text;
  EXPECT_EQ(nlohmann::json::parse(ends.at(0).text)["status"], "timeout");
}

}  // namespace
}  // namespace warm_layer_test
}  // namespace dve
