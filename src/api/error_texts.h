// The sentences of failures. Each thread has its own, so that one may be read while another thread's call fails.
#pragma once

#include <sluice/sluice.h>

#include <forward_list>
#include <mutex>
#include <thread>

namespace slu {

// The copied sentence is cut to the capacity; nothing is allocated.
void copyMessage(char (&to)[SLU_MESSAGE_CAPACITY], const char* sentence) noexcept;

class ErrorTexts {
 public:
  // For the calling thread. Allocates when a thread fails for the first time, unless it is the first one of all.
  void set(const char* sentence) noexcept;
  // The calling thread's latest, or "". Valid until the thread's next set(). A thread may inherit the number of one that
  // has ended, and its text with it.
  const char* get() noexcept;

 private:
  struct Text {
    std::thread::id thread;
    char text[SLU_MESSAGE_CAPACITY];
  };

  Text* find() noexcept;  // the calling thread's, or null

  std::mutex mutex_;  // guards whose text is where; a text is its thread's alone
  Text first_{};      // of the thread that fails first, which in most hosts is the only one
  std::forward_list<Text> others_;
};

}  // namespace slu
