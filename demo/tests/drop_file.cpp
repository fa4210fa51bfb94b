// Drops a file on a window by the X protocol for drag and drop (XDND, version 5):
//   drop_file WINDOW FILE
// Exit code 0: the window took it; 1: it did not, or not within a minute; 2: bad arguments or no display.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

namespace {

constexpr long kVersion = 5;

class Source {
 public:
  Source(Display* display, Window target, std::string list)
      : display_(display),
        target_(target),
        list_(std::move(list)),
        window_(XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)) {
    XSetSelectionOwner(display_, atom("XdndSelection"), window_, CurrentTime);
  }

  bool drop() {
    send("XdndEnter", kVersion << 24, static_cast<long>(atom("text/uri-list")), 0);
    send("XdndPosition", 0, placeInRoot(), CurrentTime, static_cast<long>(atom("XdndActionCopy")));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      while (XPending(display_)) {
        XEvent event;
        XNextEvent(display_, &event);
        if (event.type == SelectionRequest) answer(event.xselectionrequest);
        if (event.type != ClientMessage) continue;
        if (event.xclient.message_type == atom("XdndFinished")) return event.xclient.data.l[1] != 0;
        if (event.xclient.message_type != atom("XdndStatus")) continue;
        if (!(event.xclient.data.l[1] & 1)) return false;
        send("XdndDrop", 0, CurrentTime, 0);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

  // x in the upper half, y in the lower.
  long placeInRoot() const {
    int x = 0, y = 0;
    Window child = 0;
    XTranslateCoordinates(display_, target_, DefaultRootWindow(display_), 8, 8, &x, &y, &child);
    return static_cast<long>(x) << 16 | y;
  }

  void send(const char* message, long second, long third, long fourth, long fifth = 0) {
    XEvent event = {};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(message);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(window_);
    event.xclient.data.l[1] = second;
    event.xclient.data.l[2] = third;
    event.xclient.data.l[3] = fourth;
    event.xclient.data.l[4] = fifth;
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  void answer(const XSelectionRequestEvent& request) {
    XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(list_.data()), static_cast<int>(list_.size()));
    XEvent event = {};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request.requestor;
    event.xselection.selection = request.selection;
    event.xselection.target = request.target;
    event.xselection.property = request.property;
    event.xselection.time = request.time;
    XSendEvent(display_, request.requestor, False, NoEventMask, &event);
    XFlush(display_);
  }

  Display* display_;
  Window target_;
  std::string list_;
  Window window_;
};

}  // namespace

int main(int argumentCount, char** arguments) {
  if (argumentCount != 3) {
    std::fprintf(stderr, "usage: drop_file WINDOW FILE\n");
    return 2;
  }
  Display* display = XOpenDisplay(nullptr);
  if (!display) {
    std::fprintf(stderr, "drop_file: no display\n");
    return 2;
  }
  const std::string file = std::filesystem::absolute(arguments[2]).string();
  const bool taken = Source(display, std::strtoul(arguments[1], nullptr, 0), "file://" + file + "\r\n").drop();
  XCloseDisplay(display);
  return taken ? 0 : 1;
}
