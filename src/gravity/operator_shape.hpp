// The multiply-adds of a pair operator between chosen orders, as a list that the compiler unrolls: for packs on the
// processor (convolve.hpp) and for the threads of a device (thread_block_convolve.hpp).
#pragma once

#include <array>

#include "gravity/basis.hpp"

namespace rednova::gravity {

/// What the sums of a kernel are kept as.
enum class sums {
  plain,  ///< one number for each of the target's derivatives
  split,  ///< also those of n + m = p apart, for 0 < n < p: they exert the torque that goes to the spin
};

/// Orders n = first … last of the targets and m <= sources of the sources that take part, of expansions up to p.
template <int P, int First, int Last, int Sources, sums Kept>
struct operator_shape {
  static constexpr int p = P;
  static constexpr int source_order = Sources;
  /// Number of sums of a target cell, of all orders.
  static constexpr int numbers = Kept == sums::split ? basis_size(P) + P * P - 1 : basis_size(Last);

  /// Index of the sum of derivative a from sources of order m.
  static constexpr int sum_index(const derivative& a, int m) {
    const int n = a.order();
    const bool apart = Kept == sums::split && n + m == P && n > 0 && n < P;
    return apart ? basis_size(P) + basis_index(a) - 1 : basis_index(a);
  }

  /// One multiplication: sum += coefficient * source. Steps with the same source follow each other.
  struct step {
    int source, odd, sum, coefficient;
    bool loads;  ///< first of its source
  };
  template <class Visit>
  static constexpr void for_each_step(const Visit& visit) {
    for (const derivative& b : basis<P>) {
      for (int odd = 0; odd < 2; ++odd) {
        bool loads = true;
        for (const derivative& a : basis<P>) {
          const int n = a.order(), m = b.order();
          if (m > Sources || n < First || n > Last || n + m > P || (a.z + b.z) % 2 != odd) continue;
          visit(
              step{basis_index(b), odd, sum_index(a, m), coefficient_index({a.x + b.x, a.y + b.y, a.z + b.z}), loads});
          loads = false;
        }
      }
    }
  }
  static constexpr int step_count = [] {
    int count = 0;
    for_each_step([&](const step&) { ++count; });
    return count;
  }();
  static constexpr auto steps = [] {
    std::array<step, index(step_count)> all{};
    std::size_t i = 0;
    for_each_step([&](const step& s) { all[i++] = s; });
    return all;
  }();

  /// The sums that the steps write, which the kernel keeps in registers.
  static constexpr int used_count = [] {
    std::array<bool, index(numbers)> seen{};
    int count = 0;
    for (const step& s : steps) count += seen[index(s.sum)] ? 0 : 1, seen[index(s.sum)] = true;
    return count;
  }();
  static constexpr auto used = [] {
    std::array<bool, index(numbers)> seen{};
    for (const step& s : steps) seen[index(s.sum)] = true;
    std::array<int, index(used_count)> all{};
    std::size_t i = 0;
    for (int s = 0; s < numbers; ++s) {
      if (seen[index(s)]) all[i++] = s;
    }
    return all;
  }();
  /// Index of a sum among those used.
  static constexpr std::size_t place_of(int sum) {
    std::size_t i = 0;
    while (used[i] != sum) ++i;
    return i;
  }
  /// Whether every source adds to the potential, whose sum would wait for itself if it were one.
  static constexpr bool second_potential = First == 0 && Sources > 0;
};

}  // namespace rednova::gravity
