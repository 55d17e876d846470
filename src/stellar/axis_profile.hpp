// A potential along a line of cells: cubic Hermite pieces through values and slopes.
#pragma once

#include <vector>

namespace rednova::stellar {

class axis_profile {
 public:
  struct point {
    double x, value, slope;
  };
  /// Points in any order, at least two.
  explicit axis_profile(std::vector<point> points);

  double lower() const { return points_.front().x; }
  double upper() const { return points_.back().x; }
  /// Beyond the ends the end pieces go on.
  double at(double x) const;
  /// Where the profile is largest in [a, b].
  double maximum(double a, double b) const;

 private:
  std::vector<point> points_;
};

}  // namespace rednova::stellar
