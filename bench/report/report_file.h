// A file that a report is written into over and over as the run goes on, so that a run that is killed leaves what it
// measured. What is no regular file, such as a pipe, can be written once.
#pragma once

#include <fstream>
#include <string>

namespace bench {

class ReportFile {
 public:
  // option: the one that names the file, for the sentence of a Failure (BadInput). file: empty for none.
  ReportFile(const char* option, const std::string& file);

  bool isWanted() const { return !file_.empty(); }
  bool canRepeat() const;

  // At no time does the file hold less than the report before or this one.
  void write(const std::string& text);

 private:
  void write(std::ofstream& stream, const std::string& text) const;
  void check(bool isGood) const;

  const char* option_;
  const std::string file_;
  std::ofstream stream_;
};

}  // namespace bench
