#include "command/help_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <vector>

namespace rednova::command {

namespace {

/// Those that --help lists.
std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

std::vector<std::string> names(const std::vector<const CLI::App*>& apps) {
  std::vector<std::string> all;
  for (const CLI::App* app : apps) all.push_back(app->get_name());
  return all;
}

std::vector<const CLI::Option*> options(const CLI::App& app, bool positional) {
  return app.get_options([=](const CLI::Option* o) { return o->nonpositional() != positional; });
}

std::vector<std::string> words(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  return all;
}

/// What an option takes, without what the library adds of its limits ("INT:INT in [1 - 4096]"); empty for a flag.
std::string taken_by(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  std::string type = option.get_type_name();
  type = type.substr(0, type.find(":{"));  // the choices once more
  const auto colon = type.find(':');
  const bool limits = colon != std::string::npos && std::all_of(type.begin(), type.begin() + static_cast<int>(colon),
                                                                [](unsigned char c) { return std::isupper(c) != 0; });
  return limits ? type.substr(0, colon) : type;
}

/// Text as roff takes it.
std::string roff(const std::string& text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string option_entry(const CLI::Option& option) {
  const std::string taken = taken_by(option);
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(fmt::format("{}", fmt::join(words(option), ", "))),
                     taken.empty() ? "" : " \\fI" + roff(taken) + "\\fR", roff(option.get_description()));
}

std::string subcommand_section(const CLI::App& app) {
  std::string usage = fmt::format(".SS rednova {}", roff(app.get_name()));
  std::string entries;
  for (const CLI::Option* o : options(app, true)) {
    const std::string name = roff(o->get_name(true));
    usage += o->get_required() ? " " + name : " [" + name + "]";
    entries += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(o->get_name(true)), roff(o->get_description()));
  }
  for (const CLI::Option* o : options(app, false)) entries += option_entry(*o);
  return fmt::format("{}\n{}.\n{}", usage, roff(app.get_description()), entries);
}

constexpr const char* rest_of_page = R"(.SH EXIT STATUS
0 if all went well, 2 after a mistake of the user's (in the input, of a file, of the command line), 1 after an error of the program, and 128
plus the signal's number after SIGINT, SIGTERM or SIGHUP, which end a run with a checkpoint.
.SH ENVIRONMENT
.TP
\fBREDNOVA_MPI\fR
the MPI that carries messages: openmpi, mpich, mpi, the path of a module, or none; the launcher's if not set
.TP
\fBKOKKOS_TOOLS_LIBS\fR
a library of Kokkos Tools, which is told of each phase
.SH FILES
A run leaves input.toml, history.csv, ledger.json, profile.json, snapshots (.phdf, .xdmf) and checkpoints (.h5) in its directory. Ready
inputs lie in share/rednova/problems of the installation; rednova problems says where.
.SH SEE ALSO
rednova\-plot(1) and rednova\-profile(1), Python programs that draw a run; mpirun(1)
)";

std::string quoted(const std::vector<std::string>& all) { return fmt::format("\"{}\"", fmt::join(all, " ")); }

/// The branches of `case` that complete what an option takes.
std::string values_of_options(const CLI::App& app) {
  std::string text;
  std::vector<std::string> directories, seen;
  for (const CLI::App* one : subcommands(app)) {
    for (const CLI::Option* o : options(*one, false)) {
      const std::string name = words(*o).back(), taken = taken_by(*o);
      if (std::ranges::count(seen, name) > 0) continue;
      seen.push_back(name);
      if (taken == "DIR") directories.push_back(name);
      if (taken.find('|') == std::string::npos || taken.find_first_of(":[") != std::string::npos) continue;
      std::string choices = taken;
      std::ranges::replace(choices, '|', ' ');
      text += fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", name, choices);
    }
  }
  if (!directories.empty())
    text += fmt::format("    {}) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n", fmt::join(directories, "|"));
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
  std::string page = fmt::format(".TH REDNOVA 1 \"\" \"rednova {}\" \"User Commands\"\n", version);
  page += ".SH NAME\nrednova \\- simulate binary stars\n.SH SYNOPSIS\n.B rednova\n.I subcommand\n[options]\n";
  page += ".SH DESCRIPTION\n" + roff(app.get_description()) + "\n";
  for (const CLI::Option* o : options(app, false)) page += option_entry(*o);
  page += ".SH SUBCOMMANDS\n";
  for (const CLI::App* one : subcommands(app)) page += subcommand_section(*one);
  return page + rest_of_page;
}

std::string bash_completion(const CLI::App& app) {
  const std::vector<std::string> all = names(subcommands(app));
  std::string text = fmt::format(
      "# bash completion for rednova\n"
      "_rednova() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $before in\n"
      "    help) COMPREPLY=($(compgen -W {} -- \"$word\")); return ;;\n"
      "{}"
      "  esac\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      quoted([&] {
        std::vector<std::string> first = all;
        for (const CLI::Option* o : options(app, false)) first.push_back(words(*o).back());
        return first;
      }()),
      quoted(all), values_of_options(app));
  for (const CLI::App* one : subcommands(app)) {
    std::vector<std::string> long_names;
    for (const CLI::Option* o : options(*one, false)) long_names.push_back(words(*o).back());
    text += fmt::format("    {}) options={} ;;\n", one->get_name(), quoted(long_names));
  }
  return text +
         "  esac\n"
         "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); fi\n"
         "}\n"
         "complete -o default -F _rednova rednova\n";
}

}  // namespace rednova::command
