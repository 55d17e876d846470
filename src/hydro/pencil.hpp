// One sweep over a bundle of pencils: rows of cells along a direction, side by side in the lanes of a pack.
#pragma once

#include <algorithm>
#include <cstddef>

#include "eos/ideal_gas.hpp"
#include "exec/simd.hpp"
#include "hydro/contact_steepening.hpp"
#include "hydro/edge_heat.hpp"
#include "hydro/reconstruct.hpp"
#include "hydro/spin_feedback.hpp"
#include "hydro/state.hpp"
#include "hydro/variables.hpp"
#include "mesh/fields.hpp"

namespace rednova::hydro {

/// Primitive variables of a bundle: lanes of cell n of variable v at origin + v * variable + n * step.
struct pencil_input {
  const double* origin;
  std::ptrdiff_t variable, step;
  bool marked;  ///< whether the variable `marks` is filled

  const double* at(int v) const { return origin + v * variable; }
};

enum class write_mode { set, add };

/// The cells of a block.
struct pencil_cell {
  double h;         ///< width
  double rotation;  ///< angular velocity of the grid about z
};

/// Where a bundle's results go; null: nowhere.
struct pencil_output {
  double* rate = nullptr;  ///< lanes of cell n of field f at rate + f * field + n * step
  std::ptrdiff_t field = 0, step = 0;
  write_mode mode = write_mode::set;
  double* outer[2] = {};           ///< lanes of the flux through the lower and upper outer face …
  std::ptrdiff_t outer_field = 0;  ///< … of field f at outer + f * outer_field
  double* mass = nullptr;          ///< mass flux of face n in lane a at mass + a * mass_lane + n
  std::ptrdiff_t mass_lane = 0;
  bool closed[2] = {};  ///< outer faces whose flux is zero here
};

/// The scheme's choices as functions, taken once.
template <class T>
struct pencil_scheme {
  using edges_function = void (*)(const double*, std::ptrdiff_t, T*, T*);
  using turned_function = void (*)(const double*, const double*, double, std::ptrdiff_t, T*, T*);
  struct gas_edges {
    T minus[variables::gas][pencil_cells], plus[variables::gas][pencil_cells];
  };
  struct fluxes {
    T mass[pencil_faces], s[3][pencil_faces], energy[pencil_faces];  ///< s: normal, first, second transverse
    T first_order[pencil_faces];                                     ///< 1 where the face took cell averages
    bool any_first_order;
  };
  struct faces_input {
    pencil_input in;
    int gas[variables::gas];  ///< variables in the order of face_state
    T w;                      ///< normal velocity of the faces
    eos::ideal_gas eos;
    int marks;
  };
  using faces_function = void (*)(const faces_input&, const gas_edges&, fluxes&);

  edges_function positive_edges;  ///< for density and pressure
  edges_function velocity_edges;
  turned_function turned_edges;  ///< for transverse velocities that feel the spin
  edges_function edges;          ///< for the passive values but l/rho
  edges_function spin_edges;     ///< for l/rho, see choose_scheme
  faces_function faces;
  bool steepening;
  double rough_contrast;  ///< config::hydro's
};

/// Fluxes of mass, momentum and energy through the faces of a bundle.
template <class T, class Riemann>
void face_fluxes(const typename pencil_scheme<T>::faces_input& a, const typename pencil_scheme<T>::gas_edges& edge,
                 typename pencil_scheme<T>::fluxes& out) {
  const auto average = [&](int n) {
    const auto get = [&](int v) { return exec::load<T>(a.in.at(a.gas[v]) + n * a.in.step); };
    return face_state<T>{get(0), get(1), get(2), get(3), get(4)};
  };
  out.any_first_order = false;
  for (int f = 0; f < pencil_faces; ++f) {
    face_state<T> l{edge.plus[0][f], edge.plus[1][f], edge.plus[2][f], edge.plus[3][f], edge.plus[4][f]};
    face_state<T> r{edge.minus[0][f + 1], edge.minus[1][f + 1], edge.minus[2][f + 1], edge.minus[3][f + 1],
                    edge.minus[4][f + 1]};
    auto sound = exec::min(exec::min(l.rho, r.rho), exec::min(l.p, r.p)) > 0.0;
    if (a.in.marked) {
      const double* marks = a.in.at(a.marks) + f * a.in.step;
      sound = sound && (exec::load<T>(marks - a.in.step) + exec::load<T>(marks) == 0.0);
    }
    out.first_order[f] = T(0.0);
    if (exec::any(!sound)) [[unlikely]] {
      l = select(sound, l, average(f - 1));
      r = select(sound, r, average(f));
      out.first_order[f] = exec::select(sound, T(0.0), T(1.0));
      out.any_first_order = true;
    }
    const face_flux<T> flux = Riemann::flux(l, r, a.w, a.eos);
    out.mass[f] = flux.mass;
    out.s[0][f] = flux.sn;
    out.s[1][f] = flux.st1;
    out.s[2][f] = flux.st2;
    out.energy[f] = flux.energy;
  }
}

/// Sweeps over bundles along one direction of a block.
template <class T>
class pencil_sweep {
 public:
  using scheme_type = pencil_scheme<T>;

  pencil_sweep(const scheme_type& scheme, const mesh::fields& f, const variables& var, const eos::ideal_gas& eos,
               const pencil_cell& cell, int direction)
      : scheme_(scheme),
        fields_(f),
        var_(var),
        eos_(eos),
        h_(cell.h),
        per_h_(1.0 / cell.h),
        rotation_(cell.rotation),
        d_(direction),
        t1_((direction + 1) % 3),
        t2_((direction + 2) % 3) {}

  /// One bundle whose faces move with normal velocity w. value: scratch for fractions() * pencil_faces packs.
  void operator()(const pencil_input& in, const T& w, const pencil_output& out, double* value) const {
    typename scheme_type::fluxes flux;
    gas(in, w, flux);
    close(out, flux);
    write_gas(flux, out);
    species(in, flux, out, value);
    T passive[pencil_faces];
    upwind(in, var_.tracer(), scheme_.edges, flux, passive);
    write(passive, fields_.entropy(), out);
    if (var_.has_spin()) spin(in, w, flux, out);
  }

 private:
  void gas(const pencil_input& in, const T& w, typename scheme_type::fluxes& flux) const {
    typename scheme_type::gas_edges edge;
    const int order[variables::gas] = {var_.density, var_.velocity(d_), var_.velocity(t1_), var_.velocity(t2_),
                                       var_.pressure};
    const auto edges = [&](int v, typename scheme_type::edges_function f) {
      f(in.at(order[v]), in.step, edge.minus[v], edge.plus[v]);
    };
    edges(0, scheme_.positive_edges);
    edges(1, scheme_.velocity_edges);
    edges(4, scheme_.positive_edges);
    if (var_.has_spin()) {
      // With e_d × e_t = sign e_c a rotation omega_c adds sign omega_c to d v_t / d x_d.
      scheme_.turned_edges(in.at(order[2]), in.at(var_.excess(t2_)), 1.0, in.step, edge.minus[2], edge.plus[2]);
      scheme_.turned_edges(in.at(order[3]), in.at(var_.excess(t1_)), -1.0, in.step, edge.minus[3], edge.plus[3]);
    } else {
      edges(2, scheme_.velocity_edges);
      edges(3, scheme_.velocity_edges);
    }
    flatten(in, order, edge);
    if (scheme_.steepening)
      contact_steepening::edges(in.at(var_.density), in.at(var_.pressure), in.step, eos_.gamma, edge.minus[0],
                                edge.plus[0]);
    edge_heat::agree(in.at(var_.heat), in.step, edge.minus[0], edge.plus[0], edge.minus[4], edge.plus[4]);
    const typename scheme_type::faces_input faces{
        in, {order[0], order[1], order[2], order[3], order[4]}, w, eos_, var_.marks()};
    scheme_.faces(faces, edge, flux);
  }

  /// Where a cell and its neighbours differ in density by more than rough_contrast, the gas takes the edges of
  /// passive values, which make no extremum larger, and feels no spin: at surfaces of stars and in the thin gas around
  /// them what looks like a smooth extremum is none, and grows.
  void flatten(const pencil_input& in, const int* order, typename scheme_type::gas_edges& edge) const {
    const double* rho = in.at(var_.density);
    T rough[pencil_cells];
    T below = exec::load<T>(rho - 2 * in.step), here = exec::load<T>(rho - in.step), most_rough(0.0);
    for (int n = 0; n < pencil_cells; ++n) {
      const T above = exec::load<T>(rho + n * in.step);
      const T least = exec::min(exec::min(below, here), above), most = exec::max(exec::max(below, here), above);
      rough[n] = most - scheme_.rough_contrast * least;
      most_rough = exec::max(most_rough, rough[n]);
      below = here;
      here = above;
    }
    if (!exec::any(most_rough > 0.0)) return;
    T minus[pencil_cells], plus[pencil_cells];
    for (int v = 0; v < variables::gas; ++v) {
      scheme_.edges(in.at(order[v]), in.step, minus, plus);
      for (int n = 0; n < pencil_cells; ++n) {
        edge.minus[v][n] = exec::select(rough[n] > 0.0, minus[n], edge.minus[v][n]);
        edge.plus[v][n] = exec::select(rough[n] > 0.0, plus[n], edge.plus[v][n]);
      }
    }
  }

  /// Faces whose fluxes a finer neighbour supplies carry none here.
  void close(const pencil_output& out, typename scheme_type::fluxes& flux) const {
    for (int side = 0; side < 2; ++side) {
      if (!out.closed[side]) continue;
      const int f = side * mesh::N;
      flux.mass[f] = flux.s[0][f] = flux.s[1][f] = flux.s[2][f] = flux.energy[f] = T(0.0);
    }
  }

  void write_gas(const typename scheme_type::fluxes& flux, const pencil_output& out) const {
    write(flux.s[0], fields_.momentum(d_), out);
    write(flux.s[1], fields_.momentum(t1_), out);
    write(flux.s[2], fields_.momentum(t2_), out);
    write(flux.energy, fields_.energy(), out);
    if (out.mass == nullptr) return;
    for (int f = 0; f < pencil_faces; ++f)
      for (int a = 0; a < exec::lanes<T>; ++a) out.mass[a * out.mass_lane + f] = lane(flux.mass[f], a);
  }
  REDNOVA_FN static double lane(const T& v, int a) {
    if constexpr (exec::lanes<T> == 1) {
      return v;
    } else {
      return v[static_cast<std::size_t>(a)];
    }
  }

  /// Values per mass that the mass flux carries through each face.
  void upwind_values(const pencil_input& in, int variable, typename scheme_type::edges_function edges,
                     const typename scheme_type::fluxes& flux, T* value) const {
    T minus[pencil_cells], plus[pencil_cells];
    const double* q = in.at(variable);
    edges(q, in.step, minus, plus);
    for (int f = 0; f < pencil_faces; ++f) value[f] = exec::select(flux.mass[f] > 0.0, plus[f], minus[f + 1]);
    if (!flux.any_first_order) return;
    for (int f = 0; f < pencil_faces; ++f)
      value[f] = exec::select(flux.first_order[f] > 0.0, upwind_average(q, in.step, f, flux.mass[f]), value[f]);
  }
  REDNOVA_FN static T upwind_average(const double* q, std::ptrdiff_t step, int f, const T& mass) {
    return exec::select(mass > 0.0, exec::load<T>(q + (f - 1) * step), exec::load<T>(q + f * step));
  }
  void upwind(const pencil_input& in, int variable, typename scheme_type::edges_function edges,
              const typename scheme_type::fluxes& flux, T* passive) const {
    upwind_values(in, variable, edges, flux, passive);
    for (int f = 0; f < pencil_faces; ++f) passive[f] = passive[f] * flux.mass[f];
  }

  /// Whether a variable is constant along each pencil, as most species are nearly everywhere: 0 or 1.
  REDNOVA_FN static bool uniform(const double* q, std::ptrdiff_t step) {
    const T first = exec::load<T>(q);
    auto differs = exec::load<T>(q - mesh::ghosts * step) != first;
    for (int n = 1 - mesh::ghosts; n < mesh::N + mesh::ghosts; ++n) {
      differs = differs || (exec::load<T>(q + n * step) != first);
    }
    return !exec::any(differs);
  }
  /// The mass flux, shared out to the species by their fractions at the face, which limiting may keep from
  /// adding up to 1 (Plewa & Müller 1999, A&A 342, 179).
  void species(const pencil_input& in, const typename scheme_type::fluxes& flux, const pencil_output& out,
               double* value) const {
    const int n = var_.fractions();
    if (n == 0) {
      write(flux.mass, fields_.species(0), out);
      return;
    }
    constexpr int w = exec::lanes<T>;
    T sum[pencil_faces];
    for (int f = 0; f < pencil_faces; ++f) sum[f] = T(0.0);
    T fraction[pencil_faces];
    for (int k = 0; k < n; ++k) {
      const double* x = in.at(var_.fraction(k));
      if (uniform(x, in.step)) {  // edges of what is constant are that, to the bit
        std::fill_n(fraction, pencil_faces, exec::load<T>(x));
      } else {
        upwind_values(in, var_.fraction(k), scheme_.edges, flux, fraction);
      }
      for (int f = 0; f < pencil_faces; ++f) {
        exec::store(value + (k * pencil_faces + f) * w, fraction[f]);
        sum[f] = sum[f] + fraction[f];
      }
    }
    for (int f = 0; f < pencil_faces; ++f) {
      const auto poor = sum[f] < 0.5;
      if (exec::any(poor)) [[unlikely]]
        average_fractions(in, flux.mass[f], f, poor, value, sum[f]);
      sum[f] = flux.mass[f] / sum[f];
    }
    for (int k = 0; k < n; ++k) {
      for (int f = 0; f < pencil_faces; ++f) fraction[f] = sum[f] * exec::load<T>(value + (k * pencil_faces + f) * w);
      write(fraction, fields_.species(k), out);
    }
  }
  /// Fractions of the cell upwind where those at the face have lost more than half of the mass.
  template <class Mask>
  void average_fractions(const pencil_input& in, const T& mass, int f, const Mask& poor, double* value, T& sum) const {
    T total(0.0);
    for (int k = 0; k < var_.fractions(); ++k) {
      double* at = value + (k * pencil_faces + f) * exec::lanes<T>;
      const T x = exec::select(poor, upwind_average(in.at(var_.fraction(k)), in.step, f, mass), exec::load<T>(at));
      exec::store(at, x);
      total = total + x;
    }
    sum = total;
  }

  /// Flux of spin about the faces' centres: carried with the mass, plus moment_of_flux, plus moment_of_turning; and the
  /// torque of the momentum fluxes, (x_f - x_c) × F_s = ±(h/2) (F_t1 e_t2 - F_t2 e_t1), the same at both faces of a
  /// cell.
  void spin(const pencil_input& in, const T& w, const typename scheme_type::fluxes& flux,
            const pencil_output& out) const {
    const faces_and_cells same(in, var_, d_, w);
    T carried[pencil_faces];
    upwind(in, var_.spin(d_), scheme_.spin_edges, flux, carried);
    turning(in, d_, same, out, carried);
    write(carried, fields_.spin(d_), out);
    spin_component(in, same, flux, 1, 1.0, out);
    spin_component(in, same, flux, 2, -1.0, out);
  }
  /// What the three components of the spin have in common.
  struct faces_and_cells {
    T likeness[pencil_faces];
    T rho[pencil_cells], mass_flux[pencil_cells];  ///< rho and rho u_n from averages

    faces_and_cells(const pencil_input& in, const variables& var, int direction, const T& w) {
      const double *density = in.at(var.density), *vn = in.at(var.velocity(direction));
      for (int n = 0; n < pencil_cells; ++n) {
        rho[n] = exec::load<T>(density + (n - 1) * in.step);
        mass_flux[n] = rho[n] * (exec::load<T>(vn + (n - 1) * in.step) - w);
      }
      for (int f = 0; f < pencil_faces; ++f) likeness[f] = hydro::likeness(rho[f], rho[f + 1]);
    }
  };
  /// Adds moment_of_turning to the flux of a component of the spin; none through closed faces.
  void turning(const pencil_input& in, int component, const faces_and_cells& same, const pencil_output& out,
               T* carried) const {
    if (rotation_ != 0 && d_ != 2 && (component == d_ || component == 2)) {
      // ± (Omega h²/12) e × s, e in the plane and along the face: (s_z e_d - s_d e_z) for both x and y.
      const int other = component == 2 ? d_ : 2;
      const double factor = (component == 2 ? -1.0 : 1.0) * rotation_ * h_ * h_ / 12.0;
      const double* v = in.at(var_.velocity(other));
      T s_l = same.rho[0] * exec::load<T>(v - in.step);
      for (int f = 0; f < pencil_faces; ++f) {
        const T s_r = same.rho[f + 1] * exec::load<T>(v + f * in.step);
        carried[f] = carried[f] + factor * moment_of_turning(same.likeness[f], s_l, s_r);
        s_l = s_r;
      }
    }
    for (int side = 0; side < 2; ++side)
      if (out.closed[side]) carried[side * mesh::N] = T(0.0);
  }
  /// Component of the spin that the transverse momentum `t` (1 or 2) acts on: e_d × e_t = sign e_component.
  void spin_component(const pencil_input& in, const faces_and_cells& same, const typename scheme_type::fluxes& flux,
                      int t, double sign, const pencil_output& out) const {
    const int component = t == 1 ? t2_ : t1_;
    T carried[pencil_faces];
    upwind(in, var_.spin(component), scheme_.spin_edges, flux, carried);
    const double* vt = in.at(var_.velocity(t == 1 ? t1_ : t2_));
    T flux_l = same.mass_flux[0] * exec::load<T>(vt - in.step);
    for (int f = 0; f < pencil_faces; ++f) {
      const T flux_r = same.mass_flux[f + 1] * exec::load<T>(vt + f * in.step);
      carried[f] = carried[f] + sign * moment_of_flux(same.likeness[f], flux_l, flux_r, h_);
      flux_l = flux_r;
    }
    turning(in, component, same, out, carried);
    write(carried, fields_.spin(component), out);
    if (out.rate == nullptr) return;
    for (int n = 0; n < mesh::N; ++n) {
      double* rate = out.rate + fields_.spin(component) * out.field + n * out.step;
      exec::store(rate, T(exec::load<T>(rate) - (0.5 * sign) * (flux.s[t][n] + flux.s[t][n + 1])));
    }
  }

  /// Takes a field's fluxes to its rate and to the outer faces.
  void write(const T* flux, int field, const pencil_output& out) const {
    for (int side = 0; side < 2; ++side)
      if (out.outer[side] != nullptr) exec::store(out.outer[side] + field * out.outer_field, flux[side * mesh::N]);
    if (out.rate == nullptr) return;
    double* rate = out.rate + field * out.field;
    if (out.mode == write_mode::set) {
      for (int n = 0; n < mesh::N; ++n) exec::store(rate + n * out.step, T((flux[n] - flux[n + 1]) * per_h_));
    } else {
      for (int n = 0; n < mesh::N; ++n) {
        double* at = rate + n * out.step;
        exec::store(at, T(exec::load<T>(at) + (flux[n] - flux[n + 1]) * per_h_));
      }
    }
  }

  const scheme_type& scheme_;
  const mesh::fields& fields_;
  const variables& var_;
  const eos::ideal_gas& eos_;
  double h_, per_h_, rotation_;
  int d_, t1_, t2_;
};

}  // namespace rednova::hydro
