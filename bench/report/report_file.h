// A file into which a report is written again and again during a run, so that a run that is killed leaves what it
// measured. A pipe, or anything else that is no regular file, can be written once.
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

  // The file holds the whole report before or the whole new one at any time.
  void write(const std::string& text);

 private:
  void write(std::ofstream& stream, const std::string& text) const;
  void check(bool isGood) const;

  const char* option_;
  const std::string file_;
  std::ofstream stream_;
};

}  // namespace bench
