# Headers of libraries that most sources read take two thirds of the time of compiling one; here they are compiled once for
# each way of compiling. Sources include what they use all the same, and tools/tidy.py reads them without these.
# Users of other compilers than gcc and clang: -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp CONTENT "")
function(precompile_for name options)
  cmake_parse_arguments(arg "" "" "LINKS;HEADERS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp)
  target_link_libraries(${name} PRIVATE rednova_options fmt::fmt TBB::tbb nlohmann_json::nlohmann_json ${arg_LINKS})
  target_compile_options(${name} PRIVATE ${options})
  target_precompile_headers(
    ${name}
    PRIVATE
    <algorithm>
    <array>
    <chrono>
    <cmath>
    <cstdint>
    <experimental/simd>
    <filesystem>
    <fmt/format.h>
    <fstream>
    <functional>
    <limits>
    <map>
    <memory>
    <nlohmann/json.hpp>
    <oneapi/tbb/enumerable_thread_specific.h>
    <oneapi/tbb/parallel_for.h>
    <oneapi/tbb/task_arena.h>
    <optional>
    <random>
    <span>
    <string>
    <thread>
    <vector>
    ${arg_HEADERS})
endfunction()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache asks for it.
  target_compile_options(rednova_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()

# In these modules the compiler may fuse products with sums. In the others, and in their tests, what the processor does with
# packs and a device with single numbers are the same bits; so are places of cells.
set(fused core exec config gravity)
# Headers for each of the two: gcc promises nothing where options differ.
function(precompile name)
  precompile_for(${name} "" ${ARGN})
  precompile_for(${name}_unfused -ffp-contract=off ${ARGN})
endfunction()
precompile(rednova_headers)
# A target of a module's, or of its tests, fuses as the module does and takes the headers that were compiled so.
function(compile_as_module target module headers)
  if(module IN_LIST fused)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  else()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
    target_precompile_headers(${target} REUSE_FROM ${headers}_unfused)
  endif()
endfunction()
