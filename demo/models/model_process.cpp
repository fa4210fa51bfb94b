#include "models/model_process.h"

#include <assimp/Importer.hpp>

#include "base/failure.h"

#ifdef __linux__
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <new>
#include <span>
#include <stdexcept>
#include <thread>
#endif

namespace demo {

#ifdef __linux__
namespace {

constexpr const char* kCommand = "--import-model";  // FILE; by hand: sluice-demo --import-model FILE 3>/dev/null
constexpr int kAnswer = 3;                          // the file descriptor of the answer
constexpr int kMemoryExit = 77;                     // the exit code for too little memory
constexpr int kSeconds = 10;
constexpr rlim_t kMemoryBytes = rlim_t{1} << 30;
constexpr rlim_t kStackBytes = rlim_t{8} << 20;  // also where the user has no limit, so that recursion ends
constexpr size_t kMaxReasonBytes = 2000;

// The answer: this; then the reason, or positions, normals, indices and parts.
struct Header {
  uint32_t reasonBytes;  // 0: there is a model
  uint32_t vertexCount, indexCount, partCount;
};

// ---- The importer's process

void limit(auto resource, rlim_t most) {
  const rlimit both = {most, most};
  setrlimit(resource, &both);  // fails where less is allowed already
}

// The memory of this process that RLIMIT_DATA counts: the sixth number of proc(5)'s statm, in pages. AddressSanitizer's
// shadow makes it terabytes, and would make RLIMIT_AS useless.
rlim_t ownDataBytes() {
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  for (int field = 0; field < 6; ++field) statm >> pages;
  return statm ? pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) : 0;
}

void limitThisProcess() {
  syscall(SYS_close_range, kAnswer + 1, ~0u, 0u);  // what the demo has open; fails before Linux 5.9
  prctl(PR_SET_PDEATHSIG, SIGKILL);                // ends with the demo
  pollfd answer = {kAnswer, 0, 0};
  if (poll(&answer, 1, 0) > 0) _exit(1);  // nobody reads it: the demo has ended before
  prctl(PR_SET_DUMPABLE, 0);              // leaves no core
  limit(RLIMIT_CPU, kSeconds + 1);        // the demo counts the seconds of the clock
  limit(RLIMIT_STACK, kStackBytes);
  limit(RLIMIT_DATA, ownDataBytes() + kMemoryBytes);
}

void send(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = write(kAnswer, bytes.data(), bytes.size());
    if (sent < 0 && errno != EINTR) _exit(1);
    if (sent > 0) bytes = bytes.subspan(static_cast<size_t>(sent));
  }
}

void sendReason(std::string_view reason) {
  reason = reason.substr(0, kMaxReasonBytes);
  const Header header = {static_cast<uint32_t>(reason.size()), 0, 0, 0};
  send(std::as_bytes(std::span(&header, 1)));
  send(std::as_bytes(std::span(reason)));
}

void sendModel(const ModelImport& model) {
  const TriangleMesh& whole = model.whole;
  const Header header = {0, static_cast<uint32_t>(whole.positions.size()), static_cast<uint32_t>(whole.indices.size()),
                         static_cast<uint32_t>(model.parts.size())};
  send(std::as_bytes(std::span(&header, 1)));
  send(std::as_bytes(std::span(whole.positions)));
  send(std::as_bytes(std::span(whole.normals)));
  send(std::as_bytes(std::span(whole.indices)));
  send(std::as_bytes(std::span(model.parts)));
}

[[noreturn]] void answer(const char* file) {
  limitThisProcess();
  std::set_new_handler([] { _exit(kMemoryExit); });
  // The destructor crashes on some files and takes long on others, so it never runs.
  auto& importer = *new Assimp::Importer;
  try {
    sendModel(importModel(importer, file));
  } catch (const std::bad_alloc&) {
    _exit(kMemoryExit);
  } catch (const std::exception& problem) {
    sendReason(problem.what());
  }
  _exit(0);
}

// ---- The demo's process

class ImporterProcess {
 public:
  explicit ImporterProcess(const std::filesystem::path& file) {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC)) failToStart(errno);
    pipe_ = ends[0];
    const int problem = start(file.c_str(), ends[1]);
    close(ends[1]);
    if (problem) {
      close(pipe_);
      failToStart(problem);
    }
  }

  ~ImporterProcess() {
    close(pipe_);
    stop();
  }

  ImporterProcess(const ImporterProcess&) = delete;
  ImporterProcess& operator=(const ImporterProcess&) = delete;

  template <typename T>
  std::vector<T> receive(size_t count) {
    std::vector<T> values(count);
    receive(std::as_writable_bytes(std::span(values)));
    return values;
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[noreturn]] static void failToStart(int problem) {
    failRuntime("cannot be read: no process can be started for it (error ", problem, "); is /proc mounted?");
  }

  // The demo has threads by now, so that a plain fork would copy locked locks.
  int start(const char* file, int answerEnd) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // First, so that it cannot be overwritten.
    posix_spawn_file_actions_adddup2(&actions, answerEnd, kAnswer);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char name[] = "sluice-demo";
    std::string command = kCommand, path = file;
    char* arguments[] = {name, command.data(), path.data(), nullptr};
    const int problem = posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
  }

  void receive(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
      pollfd readable = {pipe_, POLLIN, 0};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
      if (left.count() <= 0) failForTime();
      if (poll(&readable, 1, static_cast<int>(left.count())) <= 0) continue;
      const ssize_t received = read(pipe_, bytes.data(), bytes.size());
      if (received == 0) failByEnd();
      if (received > 0) bytes = bytes.subspan(static_cast<size_t>(received));
    }
  }

  [[noreturn]] static void failForTime() {
    failInput("cannot be read: assimp took longer than ", kSeconds, " s; simplify it or export it in another format");
  }

  // The answer ended early.
  [[noreturn]] void failByEnd() {
    int status = 0;
    while (waitpid(process_, &status, WNOHANG) == 0) {
      if (Clock::now() >= end_) failForTime();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process_ = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == kMemoryExit)
      failInput("cannot be read: assimp needed more than ", kMemoryBytes >> 20,
                " MiB of memory; simplify it, or export it again if it is small");
    failInput("cannot be read: assimp crashed (", WIFSIGNALED(status) ? "signal " : "exit code ",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), "); export it again or in another format");
  }

  void stop() {
    if (!process_) return;
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  const Clock::time_point end_ = Clock::now() + std::chrono::seconds(kSeconds);
  int pipe_ = -1;
  pid_t process_ = 0;  // 0: has ended
};

// One line for the terminal.
std::string printable(std::vector<char> text) {
  for (char& letter : text)
    if (const auto code = static_cast<unsigned char>(letter); code < 0x20 || code == 0x7f) letter = ' ';
  return {text.begin(), text.end()};
}

}  // namespace

ModelImport importContained(const std::filesystem::path& file) {
  ImporterProcess process(file);
  const Header header = process.receive<Header>(1).front();
  if (header.reasonBytes > kMaxReasonBytes || header.indexCount > 3 * kMaxTriangles ||
      header.vertexCount > header.indexCount || header.partCount > kMaxFileMeshes)
    failInput("cannot be read: the importer counts wrongly; export it again or in another format");
  if (header.reasonBytes) failInput(printable(process.receive<char>(header.reasonBytes)));
  ModelImport model;
  model.whole.positions = process.receive<glm::vec3>(header.vertexCount);
  model.whole.normals = process.receive<glm::vec3>(header.vertexCount);
  model.whole.indices = process.receive<uint32_t>(header.indexCount);
  model.parts = process.receive<ModelPart>(header.partCount);
  return model;
}

std::optional<int> runAsImporter(int argumentCount, char** arguments) {
  if (argumentCount != 3 || std::strcmp(arguments[1], kCommand) != 0) return std::nullopt;
  answer(arguments[2]);
}

#else

// Other systems have neither /proc/self/exe nor these limits. Assimp runs in the demo's process there: the files that
// make it crash end the demo, and the ones that take long or much memory are read to the end.
ModelImport importContained(const std::filesystem::path& file) {
  Assimp::Importer importer;
  return importModel(importer, file);
}

std::optional<int> runAsImporter(int, char**) { return std::nullopt; }

#endif

}  // namespace demo
