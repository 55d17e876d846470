#include "exec/kernel_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace rednova::exec {

namespace {

constexpr std::string_view launchers[] = {"run_kernel<", "run_thread_block<"};
constexpr std::size_t longest = 100;

std::string demangled(const char* symbol) {
  int state = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &state),
                                                         std::free);
  return state == 0 && text ? text.get() : symbol;
}

void remove_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
}

/// Where the bracket that is open before `from` closes.
std::size_t closing(std::string_view text, std::size_t from) {
  int open = 1;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(') ++open;
    if (text[i] == '>' || text[i] == ')') --open;
    if (open == 0) return i;
  }
  return text.size();
}

/// Of a function with its return type, if any, and its arguments.
std::string without_arguments(const std::string& text) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') return text.substr(begin, i - begin);
    if (text[i] == '<')
      i = closing(text, i + 1);
    else if (text[i] == ' ')
      begin = i + 1;
  }
  return text.substr(begin);
}

}  // namespace

std::string kernel_name(const char* symbol) {
  std::string text = demangled(symbol);
  remove_all(text, "(anonymous namespace)::");
  std::string name;
  for (const std::string_view launcher : launchers) {
    const std::size_t at = text.find(launcher);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + launcher.size();
    name = text.substr(begin, closing(text, begin) - begin);
    break;
  }
  if (name.empty()) name = without_arguments(text);
  remove_all(name, "rednova::");
  while (!name.empty() && name.back() == ' ') name.pop_back();
  if (name.size() > longest) name = name.substr(0, longest - 3) + "...";
  return name;
}

}  // namespace rednova::exec
