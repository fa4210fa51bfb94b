# shellcheck shell=bash
# Sourced by tests/run-drivers and tests/run-windows: runs of test programs, each in a process of its own, with a line that
# tells how it ended. The script sets out, the folder of what runs write, programs, the folder of the programs, and only, a
# regular expression; and defines `on DRIVER COMMAND...`, which runs a command on one of its drivers.

runs=()

# add NAME DRIVER VARIABLES PROGRAM FILTER, unless `only` leaves it out.
add() {
  local IFS='|'
  [[ ! $1 =~ $only ]] || runs+=("$*")
}

list_runs() {
  local run name driver variables program filter
  for run in "${runs[@]}"; do
    IFS='|' read -r name driver variables program filter <<<"$run"
    echo "$name: $variables $program --gtest_filter=$filter"
  done
}

run_one() {
  local name driver variables variable program filter file seconds=$SECONDS rc=0
  IFS='|' read -r name driver variables program filter <<<"$1"
  file=${name// /-}
  for variable in $variables; do export "${variable?}"; done
  # Relative, as it is the same to programs for another system.
  (cd "$out" && on "$driver" "$programs/$program" --gtest_filter="$filter" --gtest_output="xml:$file.xml") \
    >"$out/$file.log" 2>&1 || rc=$?
  /usr/bin/env python3 tests/drivers/summary.py "$name" "$out/$file" "$rc" $((SECONDS - seconds))
}

# All of them, as many at once as JOBS says or there are processors. Fails where one does.
run_all() {
  local run failed=0 running=0 jobs=${JOBS:-$(nproc)}
  for run in "${runs[@]}"; do
    if ((running >= jobs)); then
      wait -n || failed=1
      running=$((running - 1))
    fi
    run_one "$run" &
    running=$((running + 1))
  done
  while ((running > 0)); do
    wait -n || failed=1
    running=$((running - 1))
  done
  return $failed
}
