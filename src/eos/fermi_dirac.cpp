#include "eos/fermi_dirac.hpp"

#include "core/constants.hpp"

namespace rednova::eos {
namespace {

using std::exp, std::expm1, std::sqrt;

constexpr int points = 20;
using rule = std::array<double, points>;
// The positive half of the Gauss-Legendre rule on [-1, 1].
constexpr std::array<double, points / 2> legendre_nodes{
    0.07652652113349734, 0.22778585114164507, 0.37370608871541955, 0.5108670019508271, 0.636053680726515,
    0.7463319064601508,  0.8391169718222188,  0.912234428251326,   0.9639719272779138, 0.993128599185095};
constexpr std::array<double, points / 2> legendre_weights{
    0.15275338713072628, 0.14917298647260424, 0.1420961093183824,  0.1316886384491769,   0.1181945319615186,
    0.1019301198172407,  0.08327674157670471, 0.06267204833410879, 0.040601429800386446, 0.017614007139150893};
// Gauss-Laguerre on [0, infinity); the weights are times exp(x).
constexpr rule laguerre_nodes{0.07053988969198874, 0.37212681800161157, 0.9165821024832738, 1.7073065310283435,
                              2.749199255309432,   4.048925313850888,   5.615174970861617,  7.459017453671063,
                              9.594392869581098,   12.038802546964316,  14.81429344263074,  17.948895520519375,
                              21.47878824028501,   25.451702793186904,  29.93255463170061,  35.013434240479,
                              40.83305705672857,   47.6199940473465,    55.810795750063896, 66.52441652561575};
constexpr rule laguerre_weights{0.18108006241901053, 0.4225567678785529, 0.6669095467018366, 0.9153523727830458,
                                1.1695397071955207,  1.4313549859281713, 1.7029811379849895, 1.9870158907926925,
                                2.286635781253379,   2.6058347275537685, 2.9497837342138773, 3.3253957820092523,
                                3.7422554705897317,  4.214236710251694,  4.762518461490067,  5.421726044245614,
                                6.254012356932252,   7.387314389054242,  9.151328730987055,  12.893388645940414};

/// The ends of the first three pieces for a degeneracy parameter eta: Aparicio's S1, S2, S3 with his table 1.
struct break_points {
  double s1, s2, s3;
};
break_points breaks(double eta) {
  constexpr double sharpness = 0.091186, start = 3.3609;
  const double t = sharpness * (eta - start);
  const double x = t > 500 ? eta - start : std::log1p(exp(t)) / sharpness, x2 = x * x;
  const double a = (6.7774 + 1.1418 * x + 2.9826 * x2) / (1 + 2.9826 * x);
  const double b = (3.7601 + 0.093719 * x + 0.021063 * 31.084 * x2) / (1 + 1.0056 * x + 0.021063 * x2);
  const double c = (7.5669 + 1.1695 * x + 0.75416 * 6.6558 * x2) / (1 - 0.12819 * x + 0.75416 * x2);
  return {a - b, a, a + c};
}

/// Adds what a point x of weight w contributes, to all integrals or to the number alone. B is of beta, T or a constant.
enum class integrals { number, all };
template <integrals Which, class T, class B>
class integrand {
 public:
  integrand(const T& potential, const B& beta, positrons p)
      : potential_(potential), beta_(beta), p_(p), eta_(p == positrons::none ? potential : potential - 1.0 / beta) {}
  const T& eta() const { return eta_; }

  void add(double x, double w) {
    const B spread = sqrt(1.0 + 0.5 * beta_ * x);
    const B states = w * std::sqrt(x) * spread * (1.0 + beta_ * x);
    if (p_ == positrons::none) {
      const T f = fermi_occupation(T(x - eta_));
      sums_.number += states * f;
      if constexpr (Which == integrals::all) {
        sums_.pressure += flux(x, w, spread) * f;
        sums_.energy += x * states * f;
      }
    } else {
      const B both = 1.0 / beta_ + x;  // energy with rest mass
      const T net = difference(both);
      sums_.number += states * net;
      if constexpr (Which == integrals::all) {
        const T anti = fermi_occupation(T(both + potential_));
        sums_.pressure += flux(x, w, spread) * (net + 2.0 * anti);
        sums_.energy += states * (x * net + 2.0 * anti * both);
      }
    }
  }
  electron_gas<T> sums() const { return sums_; }

 private:
  static B flux(double x, double w, const B& spread) { return w * x * std::sqrt(x) * spread * spread * spread; }
  /// f - f of positrons, without cancellation: sinh d / (cosh E + cosh d), all over exp(max(E, d)); d > 0.
  T difference(const T& energy) const {
    const T largest = value_of(energy) > value_of(potential_) ? energy : potential_;
    const T electron = exp(T(potential_ - largest)), twice = exp(T(-2.0 * potential_));
    const T thermal = exp(T(energy - largest));
    return -electron * expm1(T(-2.0 * potential_)) /
           (thermal * (1.0 + exp(T(-2.0 * energy))) + electron * (1.0 + twice));
  }

  T potential_;
  B beta_;
  positrons p_;
  T eta_;
  electron_gas<T> sums_{};
};

/// Calls take(x, w) for each point; break points are constants, so that derivatives are those of the sum.
template <class Take>
void for_points(const break_points& s, const Take& take) {
  const auto legendre = [&](double from, double to, const auto& use) {
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (std::size_t i = 0; i < points / 2; ++i) {
      use(middle - half * legendre_nodes[i], half * legendre_weights[i]);
      use(middle + half * legendre_nodes[i], half * legendre_weights[i]);
    }
  };
  // In the first piece z = sqrt(x) removes the root at x = 0.
  legendre(0.0, std::sqrt(s.s1), [&](double z, double w) { take(z * z, 2.0 * z * w); });
  legendre(s.s1, s.s2, take);
  legendre(s.s2, s.s3, take);
  for (std::size_t i = 0; i < points; ++i) take(s.s3 + laguerre_nodes[i], laguerre_weights[i]);
}

/// What the integral for the number stands in units of.
template <class T>
T states_of(const T& beta) {
  using namespace core;
  constexpr double wave_number = electron_mass * light_speed / planck;
  return 8.0 * pi * std::sqrt(2.0) * wave_number * wave_number * wave_number * beta * sqrt(beta);
}

}  // namespace

template <class T>
electron_gas<T> fermi_dirac(const T& potential, const T& beta, positrons p) {
  integrand<integrals::all, T, T> total(potential, beta, p);
  for_points(breaks(value_of(total.eta())), [&](double x, double w) { total.add(x, w); });
  const electron_gas<T> s = total.sums();
  constexpr double rest = core::electron_mass * core::light_speed * core::light_speed;
  const T scale = states_of(beta);
  return {scale * s.number, scale * beta * (2.0 / 3.0 * rest) * s.pressure, scale * beta * rest * s.energy};
}

dual<1> electron_number(double potential, double beta, positrons p) {
  integrand<integrals::number, dual<1>, double> total(dual<1>::variable(potential, 0), beta, p);
  for_points(breaks(value_of(total.eta())), [&](double x, double w) { total.add(x, w); });
  return states_of(beta) * total.sums().number;
}

template electron_gas<double> fermi_dirac(const double&, const double&, positrons);
template electron_gas<dual<2>> fermi_dirac(const dual<2>&, const dual<2>&, positrons);

}  // namespace rednova::eos
