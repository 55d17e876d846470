// A vector of three components of any number type, and what one does with it.
#pragma once

namespace rednova::core {

template <class T>
struct vec3 {
  T x{}, y{}, z{};

  constexpr T& operator[](int d) { return d == 0 ? x : d == 1 ? y : z; }
  constexpr const T& operator[](int d) const { return d == 0 ? x : d == 1 ? y : z; }

  constexpr vec3& operator+=(const vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  constexpr vec3& operator-=(const vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  friend constexpr vec3 operator+(vec3 a, const vec3& b) { return a += b; }
  friend constexpr vec3 operator-(vec3 a, const vec3& b) { return a -= b; }
  friend constexpr vec3 operator-(const vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr vec3 operator*(const T& s, const vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr vec3 operator*(const vec3& a, const T& s) { return s * a; }
  friend bool operator==(const vec3&, const vec3&) = default;
};

template <class T>
constexpr T dot(const vec3<T>& a, const vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr vec3<T> cross(const vec3<T>& a, const vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

using vec3d = vec3<double>;
using vec3i = vec3<int>;

}  // namespace rednova::core
