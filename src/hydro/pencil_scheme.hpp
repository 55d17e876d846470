// The scheme of a sweep: which function makes the edges of each variable, and which the fluxes of the gas.
#pragma once

#include <cstddef>

#include "config/parameters.hpp"
#include "eos/ratios.hpp"
#include "exec/simd.hpp"
#include "hydro/reconstruct.hpp"
#include "hydro/riemann_hllc.hpp"
#include "hydro/riemann_kt.hpp"
#include "hydro/spin_feedback.hpp"
#include "hydro/state.hpp"
#include "hydro/variables.hpp"

namespace rednova::hydro {

/// What gravity does to the cells of a bundle; not read where no edges are about equilibrium.
struct pencil_gravity {
  const double* acceleration;      ///< lanes of cell n along direction d at acceleration + d * component + n * step
  std::ptrdiff_t component, step;  ///< of the acceleration
  const double* lacking;           ///< half_weight::lacking of cell n at lacking + n * lacking_step; none beyond the
                                   ///< cells beside the bundle's faces
  std::ptrdiff_t lacking_step;

  REDNOVA_FN const double* at(int d) const { return acceleration + d * component; }
};

/// Primitive variables of a bundle: lanes of cell n of variable v at origin + v * variable + n * step.
struct pencil_input {
  const double* origin;
  std::ptrdiff_t variable, step;
  bool flagged;  ///< whether the variable `flags` is filled
  pencil_gravity gravity;

  REDNOVA_FN const double* at(int v) const { return origin + v * variable; }
};

/// Edges of the gas's variables in the order of face_state, and those of e/p where it varies: cell n has number n + 1.
template <class T, class Eos, int Faces>
struct gas_edges {
  static constexpr int energy_over_pressure = variables::gas, count = variables::gas + (Eos::varies ? 1 : 0);
  T minus[count][Faces + 1], plus[count][Faces + 1];
};

/// Fluxes of the gas through the faces of a bundle.
template <class T, int Faces>
struct gas_fluxes {
  T mass[Faces], s[3][Faces], energy[Faces];  ///< s: normal, first, second transverse
  T first_order[Faces];                       ///< 1 where the face took cell averages
  bool any_first_order;
};

/// What the fluxes ask for besides edges.
template <class T, class Eos>
struct faces_input {
  pencil_input in;
  int gas[variables::gas];  ///< variables in the order of face_state
  T w;                      ///< normal velocity of the faces
  Eos eos;
  int energy_over_pressure, gamma1;  ///< of gas whose ratios vary
  int flags;
};

/// Sets the ratios of the gas on both sides of face f: e/p at the edges, and Gamma1 of the cells, on which nothing but
/// the speeds of waves depends.
template <class T, class Eos, int Faces, class State>
REDNOVA_FN void set_ratios(const faces_input<T, Eos>& a, const gas_edges<T, Eos, Faces>& edge, int f, State& l,
                           State& r) {
  if constexpr (Eos::varies) {
    constexpr int e = gas_edges<T, Eos, Faces>::energy_over_pressure;
    const double* gamma1 = a.in.at(a.gamma1) + f * a.in.step;
    l.ratios = {edge.plus[e][f], exec::load<T>(gamma1 - a.in.step)};
    r.ratios = {edge.minus[e][f + 1], exec::load<T>(gamma1)};
  }
}

/// Fluxes of mass, momentum and energy through the faces of a bundle.
template <class T, class Riemann, class Eos, int Faces = pencil_faces>
REDNOVA_LARGE_FN void face_fluxes(const faces_input<T, Eos>& a, const gas_edges<T, Eos, Faces>& edge,
                                  gas_fluxes<T, Faces>& out) {
  using state = face_state<T, typename Eos::template ratios<T>>;
  const auto average = [&](int n) {
    const auto of = [&](int v) { return exec::load<T>(a.in.at(v) + n * a.in.step); };
    state s{of(a.gas[0]), of(a.gas[1]), of(a.gas[2]), of(a.gas[3]), of(a.gas[4])};
    if constexpr (Eos::varies) s.ratios = {of(a.energy_over_pressure), of(a.gamma1)};
    return s;
  };
  out.any_first_order = false;
  for (int f = 0; f < Faces; ++f) {
    state l{edge.plus[0][f], edge.plus[1][f], edge.plus[2][f], edge.plus[3][f], edge.plus[4][f]};
    state r{edge.minus[0][f + 1], edge.minus[1][f + 1], edge.minus[2][f + 1], edge.minus[3][f + 1],
            edge.minus[4][f + 1]};
    set_ratios(a, edge, f, l, r);
    auto positive = exec::min(exec::min(l.rho, r.rho), exec::min(l.p, r.p)) > 0.0;
    if (a.in.flagged) {
      const double* flags = a.in.at(a.flags) + f * a.in.step;
      positive = positive && (exec::load<T>(flags - a.in.step) + exec::load<T>(flags) == 0.0);
    }
    out.first_order[f] = T(0.0);
    if (exec::any(!positive)) [[unlikely]] {
      l = select(positive, l, average(f - 1));
      r = select(positive, r, average(f));
      out.first_order[f] = exec::select(positive, T(0.0), T(1.0));
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

/// Which edges the variables take: the gas, what goes with it, and spin.
///
/// Spin is carried with linear reconstruction at best: being O(h²) itself it needs no more for second order. Quartic
/// edges are stable as well and more accurate, but cost a tenth of the speed.
struct edges_constant {
  using gas = reconstruct_constant;
  using passive = reconstruct_constant;
  using spin = reconstruct_constant;
};
struct edges_plm {
  using gas = reconstruct_plm;
  using passive = reconstruct_plm;
  using spin = reconstruct_plm;
};
struct edges_ppm {
  using gas = reconstruct_quartic;
  using passive = reconstruct_ppm;
  using spin = reconstruct_plm;
};

/// Calls run<Edges, Riemann>() with what the configuration asks for.
template <class Run>
void with_scheme(const config::hydro& par, const Run& run) {
  const auto with_edges = [&]<class Edges>() {
    switch (par.riemann) {
      case config::riemann_solver::hllc:
        run.template operator()<Edges, riemann_hllc>();
        break;
      case config::riemann_solver::kt:
        run.template operator()<Edges, riemann_kt>();
        break;
    }
  };
  switch (par.reconstruct) {
    case config::reconstruction::constant:
      with_edges.template operator()<edges_constant>();
      break;
    case config::reconstruction::plm:
      with_edges.template operator()<edges_plm>();
      break;
    case config::reconstruction::ppm:
      with_edges.template operator()<edges_ppm>();
      break;
  }
}

/// The choices of a scheme that are numbers.
struct scheme_numbers {
  bool steepening;
  double density_contrast;  ///< config::hydro's
  bool well_balanced;       ///< edges of the pressure about equilibrium, with gravity: not at first order

  explicit scheme_numbers(const config::hydro& par)
      : steepening(par.contact_steepening && par.reconstruct == config::reconstruction::ppm),
        density_contrast(par.density_contrast),
        well_balanced(par.well_balanced && par.reconstruct != config::reconstruction::constant) {}
};

/// The scheme's choices as functions, taken once: so one sweep is compiled for all of an equation of state.
template <class T, class Eos>
struct pencil_scheme : scheme_numbers {
  using gas = Eos;
  using edges_function = void (*)(const double*, std::ptrdiff_t, T*, T*);
  using upwind_function = void (*)(const double*, std::ptrdiff_t, const T*, T*);
  using turned_function = void (*)(const double*, const double*, double, std::ptrdiff_t, T*, T*);
  using faces_function = void (*)(const faces_input<T, Eos>&, const gas_edges<T, Eos, pencil_faces>&,
                                  gas_fluxes<T, pencil_faces>&);

  edges_function positive_edges;  ///< for density and pressure
  edges_function velocity_edges;
  turned_function turned_edges;  ///< for transverse velocities that feel the spin
  edges_function edges;          ///< for the passive values but l/rho …
  upwind_function upwind;        ///< … where the mass flux carries them
  upwind_function upwind_spin;   ///< for l/rho
  faces_function faces;

  /// The functions that the configuration asks for.
  explicit pencil_scheme(const config::hydro& par) : scheme_numbers(par) {
    with_scheme(par, [this]<class Edges, class Riemann>() {
      positive_edges = positive<typename Edges::gas>::template edges<T>;
      velocity_edges = Edges::gas::template edges<T>;
      turned_edges = turned<typename Edges::gas>::template edges<T>;
      edges = Edges::passive::template edges<T>;
      upwind = Edges::passive::template upwind<T>;
      upwind_spin = Edges::spin::template upwind<T>;
      faces = face_fluxes<T, Riemann, Eos>;
    });
  }
};

/// A scheme that is compiled as one, for device code, which has no functions to point to; one face at a time, so that
/// all that belongs to it fits a thread's registers.
template <class Edges, class Riemann, class Eos>
struct face_scheme : scheme_numbers {
  using gas = Eos;
  using scheme_numbers::scheme_numbers;
  static constexpr int cells = 2;  ///< beside a face

  REDNOVA_FN static void positive_edges(const double* q, std::ptrdiff_t step, double* minus, double* plus) {
    positive<typename Edges::gas>::template edges<double, cells>(q, step, minus, plus);
  }
  REDNOVA_FN static void velocity_edges(const double* q, std::ptrdiff_t step, double* minus, double* plus) {
    Edges::gas::template edges<double, cells>(q, step, minus, plus);
  }
  REDNOVA_FN static void turned_edges(const double* v, const double* excess, double sign, std::ptrdiff_t step,
                                      double* minus, double* plus) {
    turned<typename Edges::gas>::template edges<double, cells>(v, excess, sign, step, minus, plus);
  }
  REDNOVA_FN static void edges(const double* q, std::ptrdiff_t step, double* minus, double* plus) {
    Edges::passive::template edges<double, cells>(q, step, minus, plus);
  }
  REDNOVA_FN static void upwind(const double* q, std::ptrdiff_t step, const double* flux, double* value) {
    Edges::passive::template upwind<double, 1>(q, step, flux, value);
  }
  REDNOVA_FN static void upwind_spin(const double* q, std::ptrdiff_t step, const double* flux, double* value) {
    Edges::spin::template upwind<double, 1>(q, step, flux, value);
  }
  REDNOVA_FN static void faces(const faces_input<double, Eos>& a, const gas_edges<double, Eos, 1>& edge,
                               gas_fluxes<double, 1>& out) {
    face_fluxes<double, Riemann, Eos, 1>(a, edge, out);
  }
};

}  // namespace rednova::hydro
