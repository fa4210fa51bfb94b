#!/usr/bin/env bash
# Runs the demo's window on the CPU's Vulkan driver and an X server of its own:
# window_case.sh CASE sluice-demo compare_pictures [library to preload into sluice-demo]
set -euo pipefail
case=$1 demo=(env "LD_PRELOAD=${4-}" "$2") compare=$3
size=320x180
arguments=(--device llvmpipe --size "$size" --instances 2000)

skip() {
  echo "SKIPPED: $*"
  exit 0
}

fail() {
  echo "FAILED: $*"
  [[ ! -e log ]] || cat log
  exit 1
}

command -v Xvfb >/dev/null || skip "no X server without a screen here (package xvfb)"
command -v xdotool >/dev/null || skip "nothing here that types keys (package xdotool)"
devices=$("${demo[@]}" --list-devices 2>&1) || true
[[ $devices == *llvmpipe* ]] || skip "no Vulkan device for the CPU (package mesa-vulkan-drivers)"

server='' viewer=''
stop() {
  [[ -z $viewer ]] || kill "$viewer" 2>/dev/null || true
  [[ -z $server ]] || kill "$server" 2>/dev/null || true
  wait
}
trap stop EXIT

# depth: bits per pixel of the screen.
start_server() {
  rm -f display
  Xvfb -displayfd 3 -screen 0 "640x480x$1" -nolisten tcp 3>display 2>server.log &
  server=$!
  for _ in {1..100}; do
    [[ ! -s display ]] || break
    sleep 0.1
  done
  [[ -s display ]] || fail "the X server does not start: $(cat server.log)"
  DISPLAY=:$(<display)
  export DISPLAY
  unset WAYLAND_DISPLAY
}

# Waits until the demo has said a line once more than it had when the last key was pressed.
await() {
  for _ in {1..600}; do
    (($(grep -c -e "$1" log || true) > said)) && return
    kill -0 "$viewer" 2>/dev/null || fail "it ended without saying: $1"
    sleep 0.1
  done
  fail "it did not say: $1"
}

# press KEY LINE: what is said then.
press() {
  said=$(grep -c -e "$2" log || true)
  xdotool key "$1"
  await "$2"
}

# click X Y LINE: what is said then.
click() {
  said=$(grep -c -e "$3" log || true)
  xdotool mousemove --window "$window" "$1" "$2" click 1
  await "$3"
}

# Presses P; $picture is the file that appears.
take_picture() {
  press p 'window    picture '
  picture=$(sed -n 's/^window    picture //p' log | tail -1)
}

open_window() {
  "${demo[@]}" --window "${arguments[@]}" "$@" --validation --out pictures >log 2>&1 &
  viewer=$!
  said=0
  await '^scene '
  window=$(xdotool search --sync --onlyvisible --name '^Sluice' | head -1)
  xdotool windowfocus --sync "$window"
}

rm -rf pictures headless log headless.log
case $case in
  same_picture)
    start_server 24
    "${demo[@]}" --window "${arguments[@]}" --validation --frames 1 --no-overlay --out pictures
    "${demo[@]}" --headless "${arguments[@]}" --frames 1 --out headless
    "$compare" pictures/frame-0000.png 320 180 || fail "the picture is empty"
    "$compare" pictures/frame-0000.png headless/frame-0000.png || fail "window and headless pictures differ"
    ;;
  keys)
    start_server 24
    open_window
    take_picture
    "$compare" "$picture" 320 180 || fail "the picture is empty"
    with_overlay=$picture
    xdotool key h
    take_picture
    "$compare" "$with_overlay" "$picture" && fail "key H does not hide the overlay"
    before=$picture
    xdotool keydown w
    sleep 1
    xdotool keyup w
    take_picture
    "$compare" "$before" "$picture" && fail "key W does not move the camera"
    before=$picture
    xdotool mousemove --window "$window" 200 90 mousedown 1
    for _ in {1..8}; do
      sleep 0.2
      xdotool mousemove_relative -- 12 0
    done
    xdotool mouseup 1
    take_picture
    "$compare" "$before" "$picture" && fail "the mouse does not turn the camera"
    press f 'culling frozen'
    press c 'camera orbit'
    press o 'route .*, stable'
    press minus 'asteroids: 1000 instances'
    press f 'culling follows'
    press v 'present mode [im]'
    xdotool windowsize --sync "$window" 200 150
    take_picture
    "$compare" "$picture" 200 150 || fail "the picture has not the size of the window"
    xdotool key F11
    sleep 1
    take_picture
    "$compare" "$picture" 640 480 || fail "the picture has not the size of the screen"
    xdotool key Escape
    wait "$viewer" || fail "exit code $?"
    viewer=
    grep -q '^frames .* shown' log || fail "it does not sum up"
    cat log
    ;;
  inspect)
    start_server 24
    open_window --frozen-at 0.9
    xdotool key h
    take_picture
    plain=$picture
    take_picture
    "$compare" "$plain" "$picture" || fail "two pictures of the same differ"
    press g 'ghosts shown'
    take_picture
    "$compare" "$plain" "$picture" && fail "key G shows no ghosts"
    press g 'ghosts hidden'
    press i 'inset shown'
    take_picture
    "$compare" "$plain" "$picture" && fail "key I shows nothing from above"
    press i 'inset hidden'
    take_picture
    "$compare" "$plain" "$picture" || fail "ghosts or inset stay when they are hidden"
    press f 'culling follows'
    "${demo[@]}" --headless "${arguments[@]}" --frames 1 --no-out --pick 180,104 >headless.log
    there=$(sed -n 's/^picked  *\(instance .*\)/\1/p' headless.log)
    [[ -n $there ]] || fail "no instance is seen at the pixel without a window"
    click 180 104 "picked $there"
    click 20 30 'picked nothing at 20,30'
    xdotool key Escape
    wait "$viewer" || fail "exit code $?"
    viewer=
    ;;
  no_presentation)
    # No Vulkan driver presents to colours out of a palette.
    start_server 8
    code=0
    "${demo[@]}" --window "${arguments[@]}" --frames 1 >log 2>&1 || code=$?
    ((code == 3)) || fail "exit code $code, expected 3"
    grep -q -e '--window: .*present' log || fail "it does not say what is missing"
    ;;
  *) fail "no case $case" ;;
esac
echo passed
