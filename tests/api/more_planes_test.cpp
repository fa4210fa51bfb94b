// Views with more than six planes: what of them is refused.
#include <algorithm>
#include <cmath>
#include <vector>

#include "floats.h"
#include "specimen.h"

namespace slu::test {
namespace {

class MorePlanes : public testing::Test {
 protected:
  void SetUp() override {
    specimen.planInfo.cullFlags |= SLU_CULL_FRUSTUM_BIT | SLU_CULL_MORE_PLANES_BIT;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    give({1, 0});
  }

  // An element for each of these views, with planes that pass everything.
  void give(const std::vector<std::uint32_t>& views) {
    constexpr float kEverything[4] = {0, 0, 0, 1};
    elements.clear();
    for (const std::uint32_t view : views) {
      SluMorePlanes& element = elements.emplace_back();
      element.view = view;
      for (float(&plane)[4] : element.planes) std::copy_n(kEverything, 4, plane);
    }
    specimen.frame.morePlanes = elements.data();
    specimen.frame.morePlanesCount = static_cast<std::uint32_t>(elements.size());
  }

  Specimen specimen;
  std::vector<SluMorePlanes> elements;
};

TEST_F(MorePlanes, AreTakenInAnyOrderForAnyViews) {
  expectAccepted(specimen);
  give({1});
  expectAccepted(specimen);
  specimen.frame.morePlanes = nullptr;
  specimen.frame.morePlanesCount = 0;
  expectAccepted(specimen);
}

TEST_F(MorePlanes, AreOfViewsOfTheFrame) {
  give({0, 2});
  expectRefused(specimen, "frame.morePlanes[1].view");
  give({0xffffffffu});
  expectRefused(specimen, "frame.morePlanes[0].view");
  give({1, 1});
  expectRefused(specimen, "frame.morePlanes[1].view");
}

TEST_F(MorePlanes, ArePlanes) {
  elements[1].planes[5][3] = kNan;
  expectRefused(specimen, "frame.morePlanes[1].planes[5]");
  give({0, 1});
  elements[0].planes[3][0] = 0.5f;
  expectRefused(specimen, "frame.morePlanes[0].planes[3]");
  give({0, 1});
  std::fill_n(elements[1].planes[0], 4, 0.0f);
  expectRefused(specimen, "frame.morePlanes[1].planes[0]");
}

TEST_F(MorePlanes, AreThereIfTheyAreCounted) {
  specimen.frame.morePlanes = nullptr;
  expectRefused(specimen, "frame.morePlanes");
  give({0});
  specimen.frame.morePlanesCount = 0;
  expectRefused(specimen, "frame.morePlanes");
  specimen.frame.morePlanesCount = 15;  // and two views
  expectRefused(specimen, "frame.morePlanesCount");
  specimen.frame.morePlanesCount = 0xffffffffu;
  expectRefused(specimen, "frame.morePlanesCount");
}

TEST_F(MorePlanes, AreASecondFrustumIfTheViewSaysSo) {
  specimen.views[1].flags = SLU_VIEW_EITHER_FRUSTUM_BIT;
  expectAccepted(specimen);
  specimen.views[1].flags = SLU_VIEW_EITHER_FRUSTUM_BIT | SLU_VIEW_ORTHOGRAPHIC_BIT;
  expectAccepted(specimen);
  specimen.views[1].flags = SLU_VIEW_EITHER_FRUSTUM_BIT << 1;
  expectRefused(specimen, "frame.views[1].flags");
  specimen.views[1].flags = SLU_VIEW_EITHER_FRUSTUM_BIT;
  give({0});
  expectRefused(specimen, "frame.views[1].flags");
  specimen.frame.morePlanes = nullptr;
  specimen.frame.morePlanesCount = 0;
  expectRefused(specimen, "frame.views[1].flags");
}

TEST_F(MorePlanes, NeedThePlansBit) {
  specimen.planInfo.cullFlags &= ~SluFlags{SLU_CULL_MORE_PLANES_BIT};
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  expectRefused(specimen, "frame.morePlanesCount");
  specimen.frame.morePlanesCount = 0;
  expectRefused(specimen, "frame.morePlanes");
  specimen.frame.morePlanes = nullptr;
  expectAccepted(specimen);
  specimen.views[0].flags = SLU_VIEW_EITHER_FRUSTUM_BIT;
  expectRefused(specimen, "frame.views[0].flags");
  specimen.views[0].flags = 0;
  specimen.frame.reserved2 = 1;
  expectRefused(specimen, "frame.reserved2");
}

}  // namespace
}  // namespace slu::test
