# shellcheck shell=bash disable=SC2034
# Sourced by tests/run, demo/run, bench/run and .ci/run: installs what the build needs and says what this machine offers.

# shellcheck source=tools/cuda.sh
source "$(dirname "${BASH_SOURCE[0]}")/cuda.sh"
# shellcheck source=tools/oldest_cmake.sh
source "$(dirname "${BASH_SOURCE[0]}")/oldest_cmake.sh"

# Names of Debian 12 and Ubuntu 24.04.
demo_packages=(build-essential cmake ninja-build glslang-tools libvulkan-dev libvulkan-volk-dev zlib1g-dev vulkan-tools
  vulkan-validationlayers mesa-vulkan-drivers libassimp-dev libmeshoptimizer-dev libglm-dev libcli11-dev libglfw3-dev
  libimgui-dev libstb-dev nlohmann-json3-dev glmark2-data)
# For predicates in GLSL libshaderc1; for tests also what Debian 12's lacks.
packages=("${demo_packages[@]}" libshaderc1 glslang-dev spirv-tools spirv-cross pkg-config libgtest-dev libtbb-dev doxygen
  assimp-testmodels python3-matplotlib xvfb xdotool x11-utils libx11-dev)

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# Installs those of the named packages that are missing.
install_packages() {
  local missing=() package as_root=()
  if ! command -v apt-get dpkg-query >/dev/null; then
    echo "Packages: no apt here; the build needs the counterparts of: $*"
    return
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    echo "Packages: all installed"
    return
  fi
  echo "Packages: installing ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "not root and no sudo here; install these packages first: ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq || fail "apt-get update failed"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "${missing[@]}" >/dev/null ||
    fail "apt-get could not install: ${missing[*]}"
}

# Installs packages of PyPI into the folder packages of the one given.
install_wheels() {
  local folder=$1
  shift
  if ! python3 -c 'import ensurepip' 2>/dev/null; then
    (install_packages python3-venv) || return
  fi
  python3 -m venv "$folder/venv" &&
    "$folder/venv/bin/python" -m pip install --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: \
      --timeout 20 --retries 2 --target "$folder/packages" "$@"
}

# One line for Vulkan, one for CUDA. After prepare_cuda.
report_devices() {
  local devices gpus
  devices=$(vulkaninfo --summary 2>/dev/null | sed -n 's/^[[:space:]]*deviceName[[:space:]]*= //p' | paste -sd ,) || true
  echo "Vulkan: ${devices:-no device found}"

  gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | paste -sd ,) || true
  if [[ -z $cuda_compiler ]]; then
    echo "CUDA: skipped, $cuda_skipped"
  else
    echo "CUDA: $cuda_compiler ($(cuda_version "$cuda_compiler")), ${gpus:-no GPU, so what needs one is skipped}"
  fi
}

# Lets compilers run through ccache where it is installed. What it keeps does not depend on the folder of the checkout.
use_ccache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
}

# Configures and builds a preset, with CUDA as prepare_cuda left it; further arguments go to the build.
build_preset() {
  local preset=$1
  shift
  use_ccache
  cmake --preset "$preset" "${cuda_options[@]}"
  cmake --build --preset "$preset" --parallel "${JOBS:-$(nproc)}" "$@"
}
