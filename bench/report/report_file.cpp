#include "report/report_file.h"

#include <filesystem>

#include "base/failure.h"

namespace bench {

// Opens the file at once: a name that cannot be written fails before anything is measured.
ReportFile::ReportFile(const char* option, const std::string& file) : option_(option), file_(file) {
  if (file.empty()) return;
  stream_.open(file, std::ios::binary);
  check(stream_.good());
}

bool ReportFile::canRepeat() const { return std::filesystem::is_regular_file(file_); }

void ReportFile::write(const std::string& text) {
  if (!canRepeat()) return write(stream_, text);
  const std::filesystem::path whole = std::filesystem::canonical(file_), part = whole.string() + ".part";
  std::ofstream stream(part, std::ios::binary);
  write(stream, text);
  std::error_code error;
  std::filesystem::rename(part, whole, error);
  check(!error);
}

void ReportFile::write(std::ofstream& stream, const std::string& text) const {
  stream << text;
  stream.close();
  check(stream.good());
}

void ReportFile::check(bool isGood) const {
  if (!isGood) failInput(option_, ": file ", file_, " cannot be written");
}

}  // namespace bench
