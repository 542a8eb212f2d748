// No lanes in RTL: this program has been built without DVE_COSIM.
#include "lane_model.h"

namespace dve::rtl {

LaneShape built_shape() { return {}; }

MakeLaneModel built_lanes() { return nullptr; }

}  // namespace dve::rtl
