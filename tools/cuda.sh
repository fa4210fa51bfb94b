# shellcheck shell=bash disable=SC2034
# Sourced by tools/setup.sh: finds a CUDA compiler, or installs NVIDIA's packages of PyPI below build/.

cuda_oldest=12.5  # as in cmake/cuda.cmake
cuda_release=13.0.88
cuda_wheels=("nvidia-cuda-nvcc==$cuda_release" "nvidia-nvvm==$cuda_release" "nvidia-cuda-crt==$cuda_release"
  "nvidia-cuda-nvrtc==$cuda_release" nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85)
cuda_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/cuda-$cuda_release

# Major and minor of a compiler's release; nothing where it does not run.
cuda_version() {
  "$1" --version 2>/dev/null | sed -n 's/.* release \([0-9.]*\),.*/\1/p' || true
}

# Prints the first compiler that is new enough, in the order of cmake/cuda.cmake; fails where there is none.
find_cuda_compiler() {
  local candidate path version
  for candidate in "${CUDACXX-}" "${CUDAToolkit_ROOT:+$CUDAToolkit_ROOT/bin/nvcc}" "${CUDA_PATH:+$CUDA_PATH/bin/nvcc}" \
    nvcc /usr/local/cuda/bin/nvcc "$cuda_folder/bin/nvcc"; do
    path=$(command -v "$candidate") || continue
    version=$(cuda_version "$path")
    if [[ -n $version && $(printf '%s\n' "$cuda_oldest" "$version" | sort -V | head -n 1) == "$cuda_oldest" ]]; then
      echo "$path"
      return
    fi
  done
  return 1
}

# The packages in the folder given, with the names that the compiler and CMake look for.
fill_cuda_folder() {
  local folder=$1 library
  install_wheels "$folder" "${cuda_wheels[@]}" || return
  for library in "$folder"/packages/nvidia/cu13/lib/lib*.so.*; do
    ln -sf "$(basename "$library")" "${library%%.so.*}.so" || return
  done
  ln -s lib "$folder/packages/nvidia/cu13/lib64"
}

# Leaves nothing behind where it fails, except build/cuda.log.
install_cuda_compiler() {
  local partial=$cuda_folder.partial log
  log=$(dirname "$cuda_folder")/cuda.log
  echo "CUDA: no compiler found; installing NVIDIA's packages of PyPI below build/ (190 MB to download)"
  mkdir -p "$(dirname "$cuda_folder")"
  rm -rf "$partial" "$cuda_folder"
  if ! { fill_cuda_folder "$partial" && mv "$partial/packages/nvidia/cu13" "$cuda_folder"; } >"$log" 2>&1; then
    rm -rf "$partial"
    return 1
  fi
  rm -rf "$partial" "$log"
}

# As prepare_cuda, for the NVIDIA GPUs of this machine alone: without any there is no CUDA.
prepare_cuda_for_gpus() {
  local gpus
  gpus=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u | paste -sd ';') || true
  if [[ $gpus =~ ^[0-9]+(;[0-9]+)*$ ]]; then
    prepare_cuda ""
    cuda_options+=("-DCMAKE_CUDA_ARCHITECTURES=$gpus")
  else
    cuda_compiler=
    cuda_skipped="no NVIDIA GPU found"
    cuda_options=(-DSLUICE_CUDA=OFF)
  fi
}

# Sets cuda_compiler, and CUDACXX for CMake; or cuda_skipped to the reason why there is no compiler. Fails in no case.
# Of the installed packages the loader knows nothing: programs find NVRTC by LD_LIBRARY_PATH.
prepare_cuda() {
  cuda_compiler=
  cuda_skipped=
  cuda_options=()
  if [[ ${1-} == --no-cuda ]]; then
    cuda_skipped="--no-cuda was given"
    cuda_options=(-DSLUICE_CUDA=OFF)
  elif cuda_compiler=$(find_cuda_compiler) || { install_cuda_compiler && cuda_compiler=$cuda_folder/bin/nvcc; }; then
    export CUDACXX=$cuda_compiler
    if [[ $cuda_compiler == "$cuda_folder"/* ]]; then
      export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$cuda_folder/lib
    fi
  else
    cuda_skipped="no compiler of CUDA $cuda_oldest or later, and PyPI's could not be installed (see build/cuda.log)"
  fi
}
