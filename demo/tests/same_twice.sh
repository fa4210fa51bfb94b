#!/usr/bin/env bash
# Two runs without a window on the CPU's Vulkan driver give the same bytes: same_twice.sh sluice-demo argument...
set -euo pipefail
devices=$("$1" --list-devices 2>&1) || true
if [[ $devices != *llvmpipe* ]]; then
  echo "SKIPPED: no Vulkan device for the CPU (package mesa-vulkan-drivers)"
  exit 0
fi
for run in first second; do
  rm -rf "$run"
  "$@" --device llvmpipe --out "$run"
done
diff --recursive first second
