#!/usr/bin/env bash
# Runs the demo's window on the CPU's Vulkan driver and an X server of its own:
# window_case.sh CASE sluice-demo compare_pictures [library to preload into sluice-demo]
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
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

# start_server BITS [OPTION ...]: bits per pixel of the screen, options of the server.
start_server() {
  rm -f display
  Xvfb -displayfd 3 -screen 0 "640x480x$1" -nolisten tcp "${@:2}" 3>display 2>server.log &
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

# drop FILE LINE: what is said then, and from there on for await_again.
drop() {
  said=$(grep -c -e "$2" log || true)
  lines=$(wc -l <log)
  "$DROP_FILE" "$window" "$1" || fail "the window does not take $1"
  await "$2"
}

# Waits for a line behind the first $lines.
await_again() {
  for _ in {1..600}; do
    tail -n "+$((lines + 1))" log | grep -q -e "$1" && return
    kill -0 "$viewer" 2>/dev/null || fail "it ended without saying again: $1"
    sleep 0.1
  done
  fail "it did not say again: $1"
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

# Holds a key for a second and a frame.
hold() {
  xdotool keydown "$1"
  sleep 1
  take_picture
  xdotool keyup "$1"
}

# change EXPRESSION FILE LINE: edits a shader with sed; what is said then.
change() {
  said=$(grep -c -e "$3" log || true)
  sed -i -e "$1" "shaders/$2"
  await "$3"
}

# open_window [OPTION ...]
output=(--out pictures)
open_window() {
  "${demo[@]}" --window "${arguments[@]}" --validation "${output[@]}" "$@" >log 2>&1 &
  viewer=$!
  said=0
  await '^scene '
  window=$(xdotool search --sync --onlyvisible --name '^Sluice' | head -1)
  xdotool windowfocus --sync "$window"
}

close_window() {
  xdotool key Escape
  wait "$viewer" || fail "exit code $?"
  viewer=
  cat log
}

# one_frame LINE [OPTION ...]: what is said by a window that closes after its first frame.
one_frame() {
  "${demo[@]}" --window --device llvmpipe --instances 100 --frames 1 --validation "${@:2}" >log 2>&1 ||
    fail "exit code $?"
  grep -q -e "$1" log || fail "it did not say: $1"
}

rm -rf pictures headless log headless.log config
# The viewer keeps its settings here, never in the user's folder.
export XDG_CONFIG_HOME=$PWD/config
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
    hold w
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
    close_window
    grep -q '^frames .* shown' log || fail "it does not sum up"
    ;;
  switches)
    start_server 24
    arguments+=(--instances 100)
    open_window
    await 'kept'
    press t 'route     cpu, '
    press t 'route     vulkan, '
    press 7 'tests frustum, size'
    press 8 'tests size'
    press 9 'kept 100 of 100, no room for 0'
    press l 'plan      21 buckets'
    press l 'plan      14 buckets'
    press l 'plan      7 buckets'
    press b 'plan      1 bucket with room for 100, tests: none'
    press f 'nothing to freeze'
    press m 'scene .* 7 meshes with matrices$'
    press m 'scene .* 7 meshes$'
    press l 'plan      4 buckets'
    press b 'plan      28 buckets with room for 400, tests: none'
    press k 'plan      28 buckets with room for 100, packed, tests: none'
    press k 'plan      28 buckets with room for 400, tests: none'
    press j 'this scene draws all with one state of the pipeline'
    # Whether the device has mesh shaders or not, both presses say something of them.
    press n '\(no mesh shaders: device .* lacks\|plan .* mesh shaders, tests: none\)'
    press n '\(no mesh shaders: device .* lacks\|vertices are drawn\)'
    press u 'no depth pyramid: occlusion is off'
    press x 'occlusion in one phase'
    press x 'occlusion in two phases'
    for level in 0 1 2 3 4 5 6 7 8; do press u "depth pyramid, level $level\$"; done
    press u 'depth pyramid hidden'
    press x 'occlusion off'
    press Page_Up 'capacity 100 %'
    for percent in 90 80 70 60 50 40 30 20 10; do press Page_Down "capacity $percent %"; done
    press Page_Down 'kept 0 of 100, no room for 100'
    take_picture
    "$compare" "$picture" 320 180 || fail "without capacity there is no picture"
    press Page_Down 'capacity 0 %'
    press Page_Up 'kept [1-9].* of 100, no room for [1-9]'
    press 7 'tests distance$'
    press 8 'tests distance, frustum$'
    press 9 'tests distance, frustum, size$'
    press 0 'this scene has no test of cone'
    press y '^plan .* a command for each cluster, tests: distance, frustum, cone$'
    press 9 'this scene has no test of size'
    press 0 '^plan .* tests: distance, frustum$'
    press 0 '^plan .* tests: distance, frustum, cone$'
    take_picture
    "$compare" "$picture" 320 180 || fail "the picture of the clusters is empty"
    press y 'asteroids as whole meshes'
    close_window
    ;;
  no_memory)
    [[ -z ${4-} ]] || skip "AddressSanitizer ends a program whose memory is used up"
    start_server 24
    arguments+=(--instances 1000000 --capacity-scale 0)
    open_window
    await 'kept 0 of 1000000'
    # The limit is what is in use, and too little more for a second million.
    kilobytes=$(sed -n 's/^VmSize:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$viewer/status")
    prlimit --pid "$viewer" --as=$(((kilobytes + 150000) * 1024))
    lines=$(wc -l <log)
    press plus 'memory'
    await_again 'kept 0 of 1000000'
    press minus 'kept 0 of 500000'
    close_window
    ;;
  no_out)
    start_server 24
    output=(--no-out)
    open_window
    before=$(ls)
    press p 'no picture is written: the window was opened with --no-out; open it without'
    press r 'nothing is recorded: the window was opened with --no-out; open it without'
    press g 'ghosts shown'
    close_window
    [[ $(ls | grep -v '^config$') == "$(grep -v '^config$' <<<"$before")" ]] || fail "it writes: $(ls)"
    ;;
  settings)
    start_server 24
    settings=config/sluice-demo/settings.json
    arguments+=(--instances 100)
    open_window --vsync
    press o 'route .*, stable'
    press 8 'tests distance, size'
    press k 'buckets packed'
    press l 'levels of detail 3'
    press Page_Down 'capacity 90 %'
    press m 'scene .* with matrices'
    press v 'present mode [im]'
    xdotool windowsize --sync "$window" 200 150
    take_picture
    close_window
    [[ $(ls config/sluice-demo) == settings.json ]] || fail "more than the settings is left: $(ls config/sluice-demo)"
    one_frame 'route .*, stable' --out pictures
    grep -q 'plan      21 buckets .*packed, tests: distance, size$' log || fail "the plan's switches are forgotten"
    grep -q 'scene .* with matrices' log || fail "the form of the transforms is forgotten"
    ! grep -q 'plan .* room for 300,' log || fail "the capacity is forgotten"
    "$compare" pictures/frame-0000.png 200 150 || fail "the window's size is forgotten"
    one_frame 'route .*, unordered' --size "$size" --order unordered --cull distance
    grep -q 'tests: distance$' log || fail "--cull does not win"
    cp "$settings" kept.json
    one_frame 'route .*, unordered' --size "$size" --no-settings
    cmp "$settings" kept.json || fail "--no-settings writes settings"
    "${demo[@]}" --headless "${arguments[@]}" --frames 1 --no-out >log 2>&1 || fail "exit code $?"
    grep -q 'tests: distance, frustum, size$' log || fail "a run without window takes settings"
    echo '{"order": "stable"' >"$settings"
    one_frame 'settings.json holds no JSON: the defaults are taken' --size "$size"
    grep -q 'route .*, unordered' log || fail "a damaged file has an effect"
    for value in '"vsync": 1' '"speed": "fast"' '"width": 0' '"height": 1e9' '"lods": 2.5' '"cull": ["all"]' \
      '"order": 7' '"transforms": true' '"placement": "loose"' '"groups": "on"'; do
      echo "{\"overlay\": false, $value}" >"$settings"
      name=${value%%:*}
      one_frame "settings.json: ${name//\"/} must"
    done
    one_frame 'scene' --size "$size" --order stable
    one_frame 'route .*, stable' --size "$size"
    ! grep -q 'settings' log || fail "what it wrote itself is damaged"
    rm "$settings"
    mkdir "$settings"
    one_frame 'settings file .* cannot be written' --size "$size"
    ;;
  scale)
    # Twice the dots per inch show the overlay twice as large, and the scene as before.
    command -v xprop >/dev/null || skip "nothing here that sets the scale (package x11-utils)"
    start_server 24 -noreset
    for dots in 96 192; do
      xprop -root -format RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "Xft.dpi: $dots"
      one_frame "overlay at $((dots / 96)) pixels per unit" --no-settings --size "$size"
      one_frame 'scene' --no-settings --size "$size" --no-overlay --out "pictures/$dots"
    done
    "$compare" pictures/96/frame-0000.png pictures/192/frame-0000.png || fail "the scale changes the scene"
    ;;
  hidden)
    # Without a window manager nothing minimises; a window that the server hides is resized and shown again.
    start_server 24
    open_window
    await 'kept'
    xdotool windowunmap --sync "$window"
    sleep 1
    xdotool windowsize "$window" 100 100 windowmap --sync "$window"
    for side in 1 300 2 150 77; do xdotool windowsize "$window" "$side" "$side"; done
    xdotool windowsize --sync "$window" 200 150 windowfocus --sync "$window"
    take_picture
    "$compare" "$picture" 200 150 || fail "the picture has not the size of the window"
    close_window
    ;;
  scenes)
    start_server 24
    open_window
    press 4 '^scene     city: 2000 instances'
    take_picture
    "$compare" "$picture" 320 180 || fail "the picture of the city is empty"
    press f 'culling frozen'
    press 3 '^scene     planes: 2000 blended panes'
    xdotool key h
    press o 'route .*, stable'
    press space 'the scene stands still'
    take_picture
    before=$picture
    take_picture
    cmp "$before" "$picture" || fail "the same moment in stable order gives another picture"
    press space 'the scene goes on'
    sleep 1
    take_picture
    cmp -s "$before" "$picture" && fail "the panes do not move"
    press 2 '^scene     points: 2000 particles'
    press 1 '^scene     asteroids: 2000 instances'
    if [[ -n ${DROP_FILE-} ]]; then
      head -c 3000000 /dev/zero | tr '\0' '[' >deep.gltf
      for model in "$MODELS"/{garbage.glb,far_index.ply,lines.obj} "$PWD/deep.gltf" "$MODELS"; do
        drop "$model" "^sluice-demo: model file $model \(cannot\|has\|is\) .*"
        await_again '^scene     asteroids: 2000 instances of 7 meshes'
      done
      drop "$MODELS/tetrahedra.obj" '^scene     asteroids: 2000 instances of 3 meshes'
      take_picture
      press 4 '^scene     city: 2000 instances'
      press j '^plan .* 4 groups of draws, tests'
      take_picture
      press k '^plan .* packed, 4 groups of draws, tests'
      take_picture
    fi
    xdotool key Escape
    wait "$viewer" || fail "exit code $?"
    viewer=
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
  path)
    start_server 24
    path=$folder/paths/good.json
    "${demo[@]}" --window --device llvmpipe --path "$path" --frames 4 --validation --no-overlay --out pictures
    "${demo[@]}" --headless --device llvmpipe --path "$path" --frames 4 --out headless
    "$compare" pictures/frame-0003.png headless/frame-0003.png || fail "window and headless replays differ"
    "$compare" headless/frame-0000.png headless/frame-0003.png && fail "the path does not move the camera"
    # A replay shows what the keys recorded.
    arguments+=(--no-overlay)
    open_window
    press r 'window    recording'
    hold s
    press f 'culling frozen'
    hold s
    take_picture
    press r 'window    path '
    path=$(sed -n 's/^window    path //p' log)
    press Escape '^frames .* shown'
    wait "$viewer" || fail "exit code $?"
    viewer=
    rm -rf headless
    "${demo[@]}" --headless --device llvmpipe --path "$path" --frames 2 --verify --validation --out headless
    "$compare" "$picture" headless/frame-0001.png || fail "the replay ends elsewhere"
    "$compare" "$picture" headless/frame-0000.png && fail "the replay begins where it ends"
    ;;
  shaders)
    help=$("${demo[@]}" --help)
    [[ $help == *--shaders* ]] || skip "this build has no shader compiler"
    start_server 24
    rm -rf shaders
    cp -r "$folder/../shaders" shaders
    arguments+=(--shaders shaders --no-overlay --path "$folder/paths/outwards.json")
    open_window
    take_picture
    original=$picture
    change 's/vec4(encoded/vec4(1.0 - encoded/' post/tonemap.comp 'shaders replaced: post/tonemap.comp$'
    take_picture
    "$compare" "$original" "$picture" && fail "the new shader is not used"
    replaced=$picture
    change '1i nonsense' post/tonemap.comp 'the shaders stay as they were'
    grep -q "ERROR: .*tonemap.comp" log || fail "it does not say what the compiler said"
    take_picture
    "$compare" "$replaced" "$picture" || fail "a shader with an error changes the picture"
    cp "$folder/../shaders/post/tonemap.comp" shaders/post
    change '1i // A line more.' shared.h 'shaders replaced: inspect/ghost.frag, .*scenes/rock_pick.vert'
    take_picture
    "$compare" "$original" "$picture" || fail "the old shaders do not come back"
    press Escape '^frames .* shown'
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
