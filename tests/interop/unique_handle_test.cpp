#include "interop/unique_handle.h"

#include <gtest/gtest.h>

#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

TEST(UniqueHandle, ClosesWhatItOwns) {
  const std::size_t before = openHandleCount();
  {
    UniqueHandle handle(openAnything());
    EXPECT_EQ(openHandleCount(), before + 1);
    UniqueHandle moved(std::move(handle));
    EXPECT_EQ(openHandleCount(), before + 1);
    moved = UniqueHandle(openAnything());
    EXPECT_EQ(openHandleCount(), before + 1);
  }
  EXPECT_EQ(openHandleCount(), before);
}

TEST(UniqueHandle, LeavesWhatItReleased) {
  SystemHandle kept = kNoHandle;
  {
    UniqueHandle handle(openAnything());
    kept = handle.release();
    EXPECT_FALSE(handle);
  }
  EXPECT_TRUE(isOpen(kept));
  closeHandle(kept);
}

// An fd is the driver's then. An NT handle is ours to close.
TEST(UniqueHandle, IsEmptyAfterAnImport) {
  const std::size_t before = openHandleCount();
  UniqueHandle handle(openAnything());
  const SystemHandle number = handle.get();
  handle.finishImport();
  EXPECT_FALSE(handle);
#ifdef _WIN32
  EXPECT_EQ(openHandleCount(), before) << number;
#else
  EXPECT_EQ(openHandleCount(), before + 1);
  EXPECT_TRUE(closeHandle(number));
#endif
}

TEST(UniqueHandle, DuplicatesAreSeparateAndNotInherited) {
  UniqueHandle handle(openAnything());
  makeInherited(handle.get());
  {
    const UniqueHandle copy = UniqueHandle::duplicateOf(handle.get());
    EXPECT_NE(copy.get(), handle.get());
    EXPECT_TRUE(isOpen(copy.get()));
    EXPECT_FALSE(isInherited(copy.get()));
    EXPECT_TRUE(isInherited(handle.get()));
  }
  EXPECT_TRUE(isOpen(handle.get()));
  handle.preventInheritance();
  EXPECT_FALSE(isInherited(handle.get()));
}

TEST(UniqueHandle, RefusesToDuplicateWhatIsNotOpen) {
  const std::string sentence = sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [] { UniqueHandle::duplicateOf(kNoHandle); });
  EXPECT_SENTENCE(sentence, "cannot be duplicated");
#ifndef _WIN32
  EXPECT_SENTENCE(sentence, "file descriptor -1");
#endif
}

}  // namespace
}  // namespace slu::test
