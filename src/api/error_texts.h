// The sentences of failures. Each thread has its own, so that one may be read while another thread's call fails.
#pragma once

#include <sluice/sluice.h>

#include <forward_list>
#include <mutex>
#include <thread>

namespace slu {

// Copies a sentence and cuts it to the capacity. It allocates nothing.
void copyMessage(char (&to)[SLU_MESSAGE_CAPACITY], const char* sentence) noexcept;

class ErrorTexts {
 public:
  // Keeps a sentence for the calling thread. It allocates at the first failure of each thread but the very first one.
  void set(const char* sentence) noexcept;
  // Returns the calling thread's latest sentence, or "". It is valid until the thread's next set(). A thread may
  // inherit the number of one that has ended, and its text.
  const char* get() noexcept;

 private:
  struct Text {
    std::thread::id thread;
    char text[SLU_MESSAGE_CAPACITY];
  };

  Text* find() noexcept;  // returns the calling thread's text, or null

  std::mutex mutex_;  // guards whose text is where; a text is its thread's alone
  Text first_{};      // of the thread that fails first, which in most hosts is the only one
  std::forward_list<Text> others_;
};

}  // namespace slu
