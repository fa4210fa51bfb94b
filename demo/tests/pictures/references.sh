#!/usr/bin/env bash
# Compares pictures with those in references/, or makes these anew, on the CPU's Vulkan driver:
# references.sh check|draw NAME sluice-demo compare_pictures [library to preload into sluice-demo]
set -euo pipefail
verb=$1 name=$2 reference=$2 demo=(env "LD_PRELOAD=${5-}" "$3") compare=$4
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/references
arguments=(--headless --device llvmpipe --validation --verify --order stable --quiet --frames 1)

case $name in
  asteroids) arguments+=(--size 192x108 --instances 2000) ;;
  asteroids-matrix)
    reference=asteroids
    arguments+=(--size 192x108 --instances 2000 --transforms matrix)
    ;;
  asteroids-mesh)
    reference=asteroids
    arguments+=(--size 192x108 --instances 2000 --draw mesh)
    ;;
  asteroids-frozen) arguments+=(--path "$folder/$name.json") ;;
  points) arguments+=(--size 192x108 --scene points --instances 20000) ;;
  city) arguments+=(--size 192x108 --scene city --instances 3000) ;;
  city-groups)
    reference=city
    arguments+=(--size 192x108 --scene city --instances 3000 --placement packed --groups on)
    ;;
  *)
    echo "no reference $name"
    exit 2
    ;;
esac

devices=$("${demo[@]}" --list-devices 2>&1) || true
if [[ $devices != *llvmpipe* ]]; then
  echo "SKIPPED: no Vulkan device for the CPU (package mesa-vulkan-drivers)"
  exit 0
fi
rm -rf "$name"
if ! "${demo[@]}" "${arguments[@]}" --out "$name" 2>log; then
  cat log
  grep -q -e '--draw mesh: .* lacks VK_EXT_mesh_shader' log && echo "SKIPPED: no mesh shaders here" && exit 0
  exit 1
fi
if [[ $verb == draw ]]; then
  cp "$name/frame-0000.png" "$folder/$name.png"
else
  "$compare" "$name/frame-0000.png" "$folder/$reference.png"
fi
