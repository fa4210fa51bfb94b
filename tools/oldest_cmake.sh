# shellcheck shell=bash
# Sourced by tools/setup.sh: the oldest CMake that the library is to be built with, from PyPI, below build/.

oldest_cmake_release=3.22.6

# Leaves nothing behind where it fails; tests/consume then skips what needs it.
prepare_oldest_cmake() {
  local folder log
  folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/cmake-$oldest_cmake_release
  log=$folder.log
  [[ -x $folder/cmake/data/bin/cmake ]] && return
  echo "CMake $oldest_cmake_release: installing it from PyPI below build/ (23 MB to download)"
  mkdir -p "$(dirname "$folder")"
  rm -rf "$folder" "$folder.partial"
  if install_wheels "$folder.partial" "cmake==$oldest_cmake_release" >"$log" 2>&1 &&
    mv "$folder.partial/packages" "$folder"; then
    rm -f "$log"
  else
    echo "CMake $oldest_cmake_release: skipped, PyPI has not delivered it; $log tells why"
  fi
  rm -rf "$folder.partial"
}
