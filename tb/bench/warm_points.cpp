// Points of the bundled layer without data from one prepared process: warm_points LAYER COUNT
#include <cstdio>
#include <cstdlib>
#include <systemc>

#include "dve/app/app.h"
#include "dve/warm/warm.h"

int sc_main(int argc, char** argv) {
  using namespace dve;
  if (argc != 3) return 2;
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  app::WarmRequest request;
  request.layer = argv[1];
  request.data = false;
  const config::Effective point = config::load("", {});
  app::WarmLayer layer(request, point.config);
  layer.prepare(point.config);
  std::size_t failed = 0;
  warm::ChildPool pool({1, {}}, [&](std::size_t) { return layer.report(point); }, {});
  pool.run(std::strtoull(argv[2], nullptr, 10),
           [&](std::size_t, const warm::ChildEnd& end) { failed += end.how != warm::ChildEnd::How::answered; });
  return failed == 0 ? 0 : 1;
}
