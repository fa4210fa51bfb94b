// A function that runs on a stack of its own and can stop in the middle.
#pragma once

#include <functional>
#include <memory>

namespace simt {

class Fiber {
 public:
  explicit Fiber(std::function<void()> body);  // body must not throw
  ~Fiber();                                    // body must have returned, or never have been started
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  void resume();   // runs body until it suspends or returns
  void suspend();  // called by body: returns at the next resume()

 private:
  struct Stack;
  static void enter();
  static void switchStacks(Stack& from, Stack& to, bool final);

  std::function<void()> body_;
  void* mapping_;
  std::unique_ptr<Stack> own_, caller_;
};

}  // namespace simt
