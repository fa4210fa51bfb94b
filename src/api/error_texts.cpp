#include "api/error_texts.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace slu {

void copyMessage(char (&to)[SLU_MESSAGE_CAPACITY], const char* sentence) noexcept {
  std::snprintf(to, sizeof(to), "%s", sentence);
}

ErrorTexts::Text* ErrorTexts::find() noexcept {
  const std::thread::id thread = std::this_thread::get_id();
  if (first_.thread == thread) return &first_;
  const auto found =
      std::find_if(others_.begin(), others_.end(), [&](const Text& text) { return text.thread == thread; });
  return found == others_.end() ? nullptr : &*found;
}

void ErrorTexts::set(const char* sentence) noexcept {
  const std::lock_guard lock(mutex_);
  Text* text = find();
  if (text == nullptr) {
    try {
      text = first_.thread == std::thread::id() ? &first_ : &others_.emplace_front();
    } catch (const std::bad_alloc&) {
      return;  // the result tells that memory is short; this thread keeps ""
    }
    text->thread = std::this_thread::get_id();
  }
  copyMessage(text->text, sentence);
}

const char* ErrorTexts::get() noexcept {
  const std::lock_guard lock(mutex_);
  const Text* text = find();
  return text == nullptr ? "" : text->text;
}

}  // namespace slu
