// One sweep over a bundle of pencils: rows of cells along a direction, side by side in the lanes of a pack.
#pragma once

#include <cstddef>

#include "exec/simd.hpp"
#include "hydro/contact_steepening.hpp"
#include "hydro/edge_p_over_rho.hpp"
#include "hydro/gravity_stress.hpp"
#include "hydro/hydrostatic.hpp"
#include "hydro/pencil_output.hpp"
#include "hydro/pencil_scheme.hpp"
#include "hydro/spin_feedback.hpp"
#include "hydro/variables.hpp"
#include "mesh/fields.hpp"

namespace rednova::hydro {

/// The cells of a block.
struct pencil_cell {
  double h;         ///< width
  double rotation;  ///< angular velocity of the grid about z
};

/// Scratch for the mass fractions at the faces of a bundle.
struct fraction_memory {
  double* first;
  std::ptrdiff_t species;  ///< from one to the next; at least faces * lanes

  /// Lanes of species k at face f.
  template <class T>
  REDNOVA_FN double* at(int k, int f) const {
    return first + k * species + f * exec::lanes<T>;
  }
};

/// Sweeps over bundles along one direction of a block, or over single faces of them (Faces = 1, cell 0 above the face).
/// Scheme: functions as pencil_scheme has. Output: as pencil_output.
template <class T, class Scheme, class Output = pencil_output, int Faces = pencil_faces>
class pencil_sweep {
 public:
  using eos_type = typename Scheme::gas;

  REDNOVA_LARGE_FN pencil_sweep(const Scheme& scheme, const mesh::field_numbers& f, const variables& var,
                                const eos_type& eos, const pencil_cell& cell, const stage_spin_exchange& exchange,
                                int direction)
      : scheme_(scheme),
        fields_(f),
        var_(var),
        eos_(eos),
        h_(cell.h),
        rotation_(cell.rotation),
        exchange_(exchange),
        d_(direction),
        t1_((direction + 1) % 3),
        t2_((direction + 2) % 3) {}

  /// One bundle whose faces move with normal velocity w.
  REDNOVA_LARGE_FN void operator()(const pencil_input& in, const T& w, const Output& out,
                                   const fraction_memory& value) const {
    fluxes flux;
    gas(in, w, flux);
    if (var_.has_spin() && exchange_.weight > 0) exchange(in, flux);
    if (well_balanced()) add_gravity_stress(in, flux);
    close(out, flux);
    write_gas(flux, out);
    species(in, flux, out, value);
    T passive[Faces];
    upwind<carried::passive>(in, var_.tracer(), flux, passive);
    out.take(passive, fields_.entropy());
    if (var_.has_spin()) spin(in, w, flux, out);
  }

 private:
  enum class carried { passive, spin };
  static constexpr int cells = Faces + 1;  ///< whose edges touch a face
  using gas_edges = hydro::gas_edges<T, eos_type, Faces>;
  using fluxes = gas_fluxes<T, Faces>;

  REDNOVA_FN bool well_balanced() const { return scheme_.well_balanced && var_.has_weight(); }

  REDNOVA_LARGE_FN void gas(const pencil_input& in, const T& w, fluxes& flux) const {
    gas_edges edge;
    const int order[variables::gas] = {var_.density, var_.velocity(d_), var_.velocity(t1_), var_.velocity(t2_),
                                       var_.pressure};
    const auto velocity = [&](int v) { scheme_.velocity_edges(in.at(order[v]), in.step, edge.minus[v], edge.plus[v]); };
    const auto positive = [&](int v) { scheme_.positive_edges(in.at(order[v]), in.step, edge.minus[v], edge.plus[v]); };
    positive(0);
    velocity(1);
    bool any_unresolved = false;
    T unresolved[cells];
    if (well_balanced()) {
      any_unresolved =
          hydrostatic::edges<T, cells>(in.at(var_.pressure), in.at(var_.weight()), in.step, in.gravity.lacking,
                                       in.gravity.lacking_step, edge.minus[4], edge.plus[4], unresolved);
    } else {
      positive(4);
    }
    if (var_.has_spin()) {
      // With e_d × e_t = sign e_c a rotation omega_c adds sign omega_c to d v_t / d x_d.
      scheme_.turned_edges(in.at(order[2]), in.at(var_.excess(t2_)), 1.0, in.step, edge.minus[2], edge.plus[2]);
      scheme_.turned_edges(in.at(order[3]), in.at(var_.excess(t1_)), -1.0, in.step, edge.minus[3], edge.plus[3]);
    } else {
      velocity(2);
      velocity(3);
    }
    flatten(in, order, edge);
    if (any_unresolved) hydrostatic::calm<T, cells>(in.at(order[1]), in.step, unresolved, edge.minus[1], edge.plus[1]);
    if constexpr (eos_type::varies) {
      constexpr int e = gas_edges::energy_over_pressure;
      scheme_.edges(in.at(var_.energy_over_pressure()), in.step, edge.minus[e], edge.plus[e]);
    }
    if (scheme_.steepening) {
      const auto gamma_of = [&]([[maybe_unused]] int n) {
        if constexpr (eos_type::varies) {
          return exec::load<T>(in.at(var_.gamma1()) + n * in.step);
        } else {
          return eos_.gamma;
        }
      };
      contact_steepening::edges<T, cells>(in.at(var_.density), in.at(var_.pressure), in.step, gamma_of, edge.minus[0],
                                          edge.plus[0]);
    }
    edge_p_over_rho::agree<T, cells>(in.at(var_.p_over_rho), in.step, edge.minus[0], edge.plus[0], edge.minus[4],
                                     edge.plus[4]);
    const faces_input<T, eos_type> faces{in,
                                         {order[0], order[1], order[2], order[3], order[4]},
                                         w,
                                         eos_,
                                         var_.energy_over_pressure(),
                                         var_.gamma1(),
                                         var_.flags()};
    scheme_.faces(faces, edge, flux);
  }

  /// Adds what spin_exchange moves through the faces, F_s = -(1/2) e_d × g, and the work that it does, of the mean
  /// velocity. None where the flux is of first order, which keeps density and pressure positive by itself alone.
  REDNOVA_LARGE_FN void exchange(const pencil_input& in, fluxes& flux) const {
    const double* rho = in.at(var_.density);
    const double *excess1 = in.at(var_.excess(t1_)), *excess2 = in.at(var_.excess(t2_));
    const double *p_over_rho = in.at(var_.p_over_rho), *v1 = in.at(var_.velocity(t1_)), *v2 = in.at(var_.velocity(t2_));
    const auto speed = [&](int n) {
      return spin_exchange::speed(T(exec::sqrt(exec::load<T>(p_over_rho + n * in.step))), h_, exchange_);
    };
    T speed_l = speed(-1);
    for (int f = 0; f < Faces; ++f) {
      const auto below = [&](const double* q) { return exec::load<T>(q + (f - 1) * in.step); };
      const auto above = [&](const double* q) { return exec::load<T>(q + f * in.step); };
      const T speed_r = speed(f);
      const auto at_face = [&](const double* excess) {
        return spin_exchange::at_face(below(rho), above(rho), T(speed_l * below(excess)), T(speed_r * above(excess)));
      };
      T share(0.5);
      if (flux.any_first_order) [[unlikely]]
        share = exec::select(flux.first_order[f] > 0.0, T(0.0), share);
      const T s1 = share * at_face(excess2), s2 = -share * at_face(excess1);
      speed_l = speed_r;
      flux.s[1][f] = flux.s[1][f] + s1;
      flux.s[2][f] = flux.s[2][f] + s2;
      flux.energy[f] = flux.energy[f] + 0.5 * ((below(v1) + above(v1)) * s1 + (below(v2) + above(v2)) * s2);
    }
  }

  /// Adds gravity_stress; none where the flux is of first order.
  REDNOVA_LARGE_FN void add_gravity_stress(const pencil_input& in, fluxes& flux) const {
    const double* density = in.at(var_.density);
    const int order[3] = {d_, t1_, t2_};
    const gravity_stress stress{h_};
    for (int f = 0; f < Faces; ++f) {
      const auto below = [&](const double* q, std::ptrdiff_t step) { return exec::load<T>(q + (f - 1) * step); };
      const auto above = [&](const double* q, std::ptrdiff_t step) { return exec::load<T>(q + f * step); };
      T rho = gravity_stress::density(below(density, in.step), above(density, in.step));
      if (flux.any_first_order) [[unlikely]]
        rho = exec::select(flux.first_order[f] > 0.0, T(0.0), rho);
      T work(0.0);
      for (int i = 0; i < 3; ++i) {
        const double *g = in.gravity.at(order[i]), *v = in.at(var_.velocity(order[i]));
        const T rise = above(g, in.gravity.step) - below(g, in.gravity.step);
        const T s = stress.flux(rho, rise, i == 0);
        flux.s[i][f] = flux.s[i][f] + s;
        work = work + (below(v, in.step) + above(v, in.step)) * s;
      }
      flux.energy[f] = flux.energy[f] + 0.5 * work;
    }
  }

  /// Where a cell and its neighbours differ in density by more than density_contrast, the gas takes the edges of
  /// passive values, which make no extremum larger, and its edges feel no spin: at surfaces of stars and in the thin
  /// gas around them what looks like a smooth extremum is none, and grows.
  REDNOVA_LARGE_FN void flatten(const pencil_input& in, const int* order, gas_edges& edge) const {
    const double* rho = in.at(var_.density);
    T too_steep[cells];
    T below = exec::load<T>(rho - 2 * in.step), here = exec::load<T>(rho - in.step), steepest(0.0);
    for (int n = 0; n < cells; ++n) {
      const T above = exec::load<T>(rho + n * in.step);
      const T least = exec::min(exec::min(below, here), above), most = exec::max(exec::max(below, here), above);
      too_steep[n] = most - scheme_.density_contrast * least;
      steepest = exec::max(steepest, too_steep[n]);
      below = here;
      here = above;
    }
    if (!exec::any(steepest > 0.0)) return;
    T minus[cells], plus[cells];
    for (int v = 0; v < variables::gas - (well_balanced() ? 1 : 0); ++v) {
      scheme_.edges(in.at(order[v]), in.step, minus, plus);
      for (int n = 0; n < cells; ++n) {
        edge.minus[v][n] = exec::select(too_steep[n] > 0.0, minus[n], edge.minus[v][n]);
        edge.plus[v][n] = exec::select(too_steep[n] > 0.0, plus[n], edge.plus[v][n]);
      }
    }
  }

  /// Faces whose fluxes a finer neighbour supplies carry none here.
  REDNOVA_LARGE_FN void close(const Output& out, fluxes& flux) const {
    out.for_closed([&](int f) { flux.mass[f] = flux.s[0][f] = flux.s[1][f] = flux.s[2][f] = flux.energy[f] = T(0.0); });
  }

  REDNOVA_LARGE_FN void write_gas(const fluxes& flux, const Output& out) const {
    out.take(flux.s[0], fields_.momentum(d_));
    out.take(flux.s[1], fields_.momentum(t1_));
    out.take(flux.s[2], fields_.momentum(t2_));
    out.take(flux.energy, fields_.energy());
    out.take_mass(flux.mass);
  }

  /// Values per mass that the mass flux carries through each face.
  template <carried What>
  REDNOVA_LARGE_FN void upwind_values(const pencil_input& in, int variable, const fluxes& flux, T* value) const {
    const double* q = in.at(variable);
    if constexpr (What == carried::spin) {
      scheme_.upwind_spin(q, in.step, flux.mass, value);
    } else {
      scheme_.upwind(q, in.step, flux.mass, value);
    }
    if (!flux.any_first_order) return;
    for (int f = 0; f < Faces; ++f)
      value[f] = exec::select(flux.first_order[f] > 0.0,
                              reconstruct_constant::upwind_average(q, in.step, f, flux.mass[f]), value[f]);
  }
  template <carried What>
  REDNOVA_LARGE_FN void upwind(const pencil_input& in, int variable, const fluxes& flux, T* passive) const {
    upwind_values<What>(in, variable, flux, passive);
    for (int f = 0; f < Faces; ++f) passive[f] = passive[f] * flux.mass[f];
  }

  /// Whether a variable is constant along each pencil, as most species are nearly everywhere: 0 or 1.
  REDNOVA_FN static bool uniform(const double* q, std::ptrdiff_t step) {
    const T first = exec::load<T>(q);
    auto differs = exec::load<T>(q - mesh::ghosts * step) != first;
    for (int n = 1 - mesh::ghosts; n < Faces - 1 + mesh::ghosts; ++n) {
      differs = differs || (exec::load<T>(q + n * step) != first);
    }
    return !exec::any(differs);
  }
  /// The mass flux, shared out to the species by their fractions at the face, which limiting may keep from
  /// adding up to 1 (Plewa & Müller 1999, A&A 342, 179).
  REDNOVA_LARGE_FN void species(const pencil_input& in, const fluxes& flux, const Output& out,
                                const fraction_memory& value) const {
    const int n = var_.fractions();
    if (n == 0) {
      out.take(flux.mass, fields_.species(0));
      return;
    }
    T sum[Faces];
    for (int f = 0; f < Faces; ++f) sum[f] = T(0.0);
    T fraction[Faces];
    for (int k = 0; k < n; ++k) {
      const double* x = in.at(var_.fraction(k));
      if (uniform(x, in.step)) {  // edges of what is constant are that, to the bit
        for (T& at_face : fraction) at_face = exec::load<T>(x);
      } else {
        upwind_values<carried::passive>(in, var_.fraction(k), flux, fraction);
      }
      for (int f = 0; f < Faces; ++f) {
        exec::store(value.template at<T>(k, f), fraction[f]);
        sum[f] = sum[f] + fraction[f];
      }
    }
    for (int f = 0; f < Faces; ++f) {
      const auto negligible = sum[f] < 0.5;
      if (exec::any(negligible)) [[unlikely]]
        average_fractions(in, flux.mass[f], f, negligible, value, sum[f]);
      sum[f] = flux.mass[f] / sum[f];
    }
    for (int k = 0; k < n; ++k) {
      for (int f = 0; f < Faces; ++f) fraction[f] = sum[f] * exec::load<T>(value.template at<T>(k, f));
      out.take(fraction, fields_.species(k));
    }
  }
  /// Fractions of the cell upwind where those at the face have lost more than half of the mass.
  template <class Mask>
  REDNOVA_LARGE_FN void average_fractions(const pencil_input& in, const T& mass, int f, const Mask& negligible,
                                          const fraction_memory& value, T& sum) const {
    T total(0.0);
    for (int k = 0; k < var_.fractions(); ++k) {
      double* at = value.template at<T>(k, f);
      const T x =
          exec::select(negligible, reconstruct_constant::upwind_average(in.at(var_.fraction(k)), in.step, f, mass),
                       exec::load<T>(at));
      exec::store(at, x);
      total = total + x;
    }
    sum = total;
  }

  /// Flux of spin about the faces' centres: carried with the mass, plus moment_of_flux, plus moment_of_turning; and the
  /// torque of the momentum fluxes, (x_f - x_c) × F_s = ±(h/2) (F_t1 e_t2 - F_t2 e_t1), the same at both faces of a
  /// cell.
  REDNOVA_LARGE_FN void spin(const pencil_input& in, const T& w, const fluxes& flux, const Output& out) const {
    const faces_and_cells same(in, var_, d_, w);
    T by_mass[Faces];
    upwind<carried::spin>(in, var_.spin(d_), flux, by_mass);
    turning(in, d_, same, out, by_mass);
    out.take(by_mass, fields_.spin(d_));
    spin_component(in, same, flux, 1, 1.0, out);
    spin_component(in, same, flux, 2, -1.0, out);
  }
  /// What the three components of the spin have in common.
  struct faces_and_cells {
    T density_ratio_limiter[Faces];
    T rho[cells], mass_flux[cells];  ///< rho and rho u_n from averages

    REDNOVA_FLAT_FN faces_and_cells(const pencil_input& in, const variables& var, int direction, const T& w) {
      const double *density = in.at(var.density), *vn = in.at(var.velocity(direction));
      for (int n = 0; n < cells; ++n) {
        rho[n] = exec::load<T>(density + (n - 1) * in.step);
        mass_flux[n] = rho[n] * (exec::load<T>(vn + (n - 1) * in.step) - w);
      }
      for (int f = 0; f < Faces; ++f) density_ratio_limiter[f] = hydro::density_ratio_limiter(rho[f], rho[f + 1]);
    }
  };
  /// Adds moment_of_turning to the flux of a component of the spin; none through closed faces.
  REDNOVA_LARGE_FN void turning(const pencil_input& in, int component, const faces_and_cells& same, const Output& out,
                                T* by_mass) const {
    if (rotation_ != 0 && d_ != 2 && (component == d_ || component == 2)) {
      // ± (Omega h²/12) e × s, e in the plane and along the face: (s_z e_d - s_d e_z) for both x and y.
      const int other = component == 2 ? d_ : 2;
      const double factor = (component == 2 ? -1.0 : 1.0) * rotation_ * h_ * h_ / 12.0;
      const double* v = in.at(var_.velocity(other));
      T s_l = same.rho[0] * exec::load<T>(v - in.step);
      for (int f = 0; f < Faces; ++f) {
        const T s_r = same.rho[f + 1] * exec::load<T>(v + f * in.step);
        by_mass[f] = by_mass[f] + factor * moment_of_turning(same.density_ratio_limiter[f], s_l, s_r);
        s_l = s_r;
      }
    }
    out.for_closed([&](int f) { by_mass[f] = T(0.0); });
  }
  /// Component of the spin that the transverse momentum `t` (1 or 2) acts on: e_d × e_t = sign e_component.
  REDNOVA_LARGE_FN void spin_component(const pencil_input& in, const faces_and_cells& same, const fluxes& flux, int t,
                                       double sign, const Output& out) const {
    const int component = t == 1 ? t2_ : t1_;
    T by_mass[Faces];
    upwind<carried::spin>(in, var_.spin(component), flux, by_mass);
    const double* vt = in.at(var_.velocity(t == 1 ? t1_ : t2_));
    T flux_l = same.mass_flux[0] * exec::load<T>(vt - in.step);
    for (int f = 0; f < Faces; ++f) {
      const T flux_r = same.mass_flux[f + 1] * exec::load<T>(vt + f * in.step);
      by_mass[f] = by_mass[f] + sign * moment_of_flux(same.density_ratio_limiter[f], flux_l, flux_r, h_);
      flux_l = flux_r;
    }
    turning(in, component, same, out, by_mass);
    out.take(by_mass, fields_.spin(component));
    out.take_torque(flux.s[t], sign, fields_.spin(component));
  }

  const Scheme& scheme_;
  const mesh::field_numbers& fields_;
  const variables& var_;
  const eos_type& eos_;
  double h_, rotation_;
  stage_spin_exchange exchange_;
  int d_, t1_, t2_;
};

}  // namespace rednova::hydro
