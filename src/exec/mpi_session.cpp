#include "exec/mpi_session.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>
#include <thread>

#include "core/check.hpp"
#include "exec/shared_library.hpp"

namespace rednova::exec {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "librednova_mpi_", suffix = ".so";

/// Beside the program, where an installation puts it (lib/rednova), and above (the tests' programs).
std::vector<fs::path> places() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return {here, here.parent_path() / "lib" / "rednova", here.parent_path() / "lib", here.parent_path()};
}

std::optional<fs::path> module_path(const std::string& flavour) {
  std::error_code ignored;
  for (const fs::path& place : places()) {
    fs::path file = place / fmt::format("{}{}{}", prefix, flavour, suffix);
    if (fs::exists(file, ignored)) return file;
  }
  return {};
}

/// What the caller requested, or else the environment.
std::string requested_or_variable(const std::string& requested) {
  const char* const variable = std::getenv("REDNOVA_MPI");
  return requested.empty() && variable != nullptr ? variable : requested;
}

/// The module to open, or why there is none.
fs::path choose(const std::string& requested, const launch& by) {
  if (requested.find('/') != std::string::npos) return requested;
  const std::vector<std::string> flavours = requested.empty() ? by.flavours : std::vector<std::string>{requested};
  for (const std::string& flavour : flavours) {
    if (const auto file = module_path(flavour)) return *file;
  }
  const std::vector<std::string> there = mpi_modules();
  core::fail(
      "this process was started by {} as one of {} ranks, but there is no MPI module for that ({}) beside the program: "
      "{}. Install that MPI (Debian: libopenmpi-dev and openmpi-bin, or libmpich-dev and mpich) and build again, or "
      "use "
      "the launcher of one that is there; REDNOVA_MPI=none starts each process as a run of its own",
      by.launcher, by.ranks > 0 ? std::to_string(by.ranks) : "several", fmt::join(flavours, ", "),
      there.empty() ? "it was built without MPI" : fmt::format("there is {}", fmt::join(there, " and ")));
}

const mpi::engine* table_of(const fs::path& file) {
  // Open MPI's plug-ins look for the symbols of the library among those of the program.
  const shared_library module({file.string()}, RTLD_NOW | RTLD_GLOBAL);
  if (!module.open()) core::fail("the MPI module cannot be opened: {}", module.why_not());
  const mpi::engine* (*enter)() = nullptr;
  if (!module.find("rednova_mpi_engine", enter)) core::fail("{} is no MPI module of Rednova", file.string());
  const mpi::engine* const table = enter();
  if (table->version != mpi::engine::current_version) {
    core::fail("{} was made for another version of Rednova; build it again", file.string());
  }
  return table;
}

}  // namespace

std::optional<launch> find_launch(const std::function<const char*(const char*)>& variable) {
  const auto number = [&](const char* name) {
    const char* const text = variable(name);
    return text == nullptr ? 0 : std::atoi(text);
  };
  if (variable("OMPI_COMM_WORLD_SIZE") != nullptr) {
    return launch{"Open MPI's mpirun", number("OMPI_COMM_WORLD_SIZE"), {"openmpi", "mpi"}};
  }
  if (variable("PMIX_RANK") != nullptr) {
    return launch{"a PMIx launcher", number("SLURM_STEP_NUM_TASKS"), {"openmpi", "mpi", "mpich"}};
  }
  if (variable("PMI_RANK") != nullptr) {
    return launch{"MPICH's mpirun or another PMI launcher", number("PMI_SIZE"), {"mpich", "mpi"}};
  }
  return {};
}

std::vector<std::string> mpi_modules() {
  std::vector<std::string> found;
  for (const fs::path& place : places()) {
    std::error_code none;
    for (const auto& file : fs::directory_iterator(place, none)) {
      const std::string name = file.path().filename().string();
      if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
      found.push_back(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<launch> launch_of_process(const std::string& requested) {
  if (requested_or_variable(requested) == "none") return {};
  return find_launch([](const char* name) { return std::getenv(name); });
}

int rank_of_process() {
  if (!launch_of_process()) return 0;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* const text = std::getenv(name)) return std::atoi(text);
  }
  return 0;
}

std::unique_ptr<mpi_session> mpi_session::open(const std::string& requested) {
  const auto by = launch_of_process(requested);
  if (!by) return nullptr;
  const std::string choice = requested_or_variable(requested);
  if (by->ranks == 1 && choice.empty() && mpi_modules().empty()) return nullptr;
  const mpi::engine* const table = table_of(choose(choice, *by));
  if (table->start() != 0) core::fail("MPI does not start: {}", table->failure());
  std::unique_ptr<mpi_session> session(new mpi_session(*table));
  if (by->ranks > 0 && table->size() != by->ranks) {
    core::fail(
        "{} has started {} ranks, but {} sees {}: the launcher and the MPI module do not belong together; set "
        "REDNOVA_MPI to another ({})",
        by->launcher, by->ranks, table->library(), table->size(), fmt::join(mpi_modules(), ", "));
  }
  return session;
}

namespace {

/// MPICH 4.0 over UCX's TCP, as Debian has them, may hang in MPI_Finalize: closing a connection asks for an answer of
/// the other end, and who is done there first waits for the launcher and answers nobody (UCX, issue 8738). Then all
/// ranks have ended well and have written what they had to; they leave without it.
class farewell {
 public:
  farewell(bool speaks, int exit_code) {
    speaks_ = speaks;
    exit_code_ = exit_code;
    before_ = std::signal(SIGALRM, leave);
    ::alarm(longest);
  }
  farewell(const farewell&) = delete;
  farewell& operator=(const farewell&) = delete;
  ~farewell() {
    ::alarm(0);
    std::signal(SIGALRM, before_);
  }

 private:
  static constexpr unsigned longest = 10;  // seconds

  /// In the signal's handler, where nothing but system calls is allowed.
  static void leave(int /*signal*/) {
    static constexpr std::string_view words =
        "rednova: MPI_Finalize does not return; all files are written, the ranks end without it\n";
    [[maybe_unused]] const ssize_t ignored =
        speaks_ != 0 ? ::write(STDERR_FILENO, words.data(), words.size()) : 0;  // there is nobody else to tell
    // The first that is gone would set others free to go on in MPI, which the launcher takes for a failure. When all
    // are here, none does.
    ::sleep(1);
    ::_exit(exit_code_);
  }

  inline static volatile std::sig_atomic_t speaks_ = 0, exit_code_ = 0;
  void (*before_)(int) = SIG_DFL;
};

}  // namespace

mpi_session::mpi_session(const mpi::engine& e) : engine_(&e), exceptions_(std::uncaught_exceptions()) {}

mpi_session::~mpi_session() {
  if (std::uncaught_exceptions() == exceptions_ && !given_up_) {
    std::fflush(nullptr);
    // Other launchers take it for a failure.
    std::optional<farewell> limit;
    if (std::string_view(engine_->library()).starts_with("MPICH")) limit.emplace(engine_->rank() == 0, exit_code_);
    engine_->finish();
    return;
  }
  // For the exit of the process, when no object is left.
  const auto last_word = [](int status, void* engine) {
    std::fflush(nullptr);
    // Hydra drops what ranks have said but it has not forwarded yet, and that says why the run ends.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    // An MPI that hangs in its last word is killed: a process that dies is what every launcher understands.
    constexpr unsigned seconds = 5;
    std::signal(SIGALRM, SIG_DFL);
    ::alarm(seconds);
    static_cast<const mpi::engine*>(engine)->abort(status == 0 ? 1 : status);
  };
  ::on_exit(last_word, const_cast<mpi::engine*>(engine_));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace rednova::exec
