#include "interop/unique_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "file_descriptors.h"
#include "sentence.h"

namespace slu::test {
namespace {

TEST(UniqueFd, ClosesWhatItOwns) {
  const std::size_t before = openFdCount();
  {
    UniqueFd fd(openAnything());
    EXPECT_EQ(openFdCount(), before + 1);
    UniqueFd moved(std::move(fd));
    EXPECT_EQ(openFdCount(), before + 1);
    moved = UniqueFd(openAnything());
    EXPECT_EQ(openFdCount(), before + 1);
  }
  EXPECT_EQ(openFdCount(), before);
}

TEST(UniqueFd, LeavesWhatItReleased) {
  int kept = -1;
  {
    UniqueFd fd(openAnything());
    kept = fd.release();
    EXPECT_FALSE(fd);
  }
  EXPECT_TRUE(isOpen(kept));
  close(kept);
}

TEST(UniqueFd, DuplicatesAreSeparateAndNotInherited) {
  UniqueFd fd(openAnything());
  ASSERT_EQ(fcntl(fd.get(), F_SETFD, 0), 0);
  {
    const UniqueFd copy = UniqueFd::duplicateOf(fd.get());
    EXPECT_NE(copy.get(), fd.get());
    EXPECT_TRUE(closesOnExec(copy.get()));
    EXPECT_FALSE(closesOnExec(fd.get()));
  }
  EXPECT_TRUE(isOpen(fd.get()));
  fd.closeOnExec();
  EXPECT_TRUE(closesOnExec(fd.get()));
}

TEST(UniqueFd, RefusesToDuplicateWhatIsNotOpen) {
  const std::string sentence = sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [] { UniqueFd::duplicateOf(-1); });
  EXPECT_SENTENCE(sentence, "file descriptor -1");
}

}  // namespace
}  // namespace slu::test
