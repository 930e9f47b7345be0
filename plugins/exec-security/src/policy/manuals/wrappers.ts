/** Commands that run the command in their own words. */
export const WRAPPERS = `
timeout <text> <command>...
  -v --foreground --preserve-status --verbose
  --help --version: query
  -k -s --kill-after --signal <text>

nice <command>...
  numeric-options
  --help --version: query
  -n --adjustment <text>

nohup <command>...
  --help --version: query

time <command>...
  -p -v -q -a --portability --verbose --quiet --append
  -V --help --version: query
  -f --format <text>
  -o --output <write>

stdbuf <command>...
  --help --version: query
  -i -o -e --input --output --error <text>

setsid <command>...
  -c -f -w --ctty --fork --wait
  -h -V --help --version: query

ionice <command>...
  -t --ignore
  -h -V --help --version: query
  -c -n --class --classdata <text>
  -p -P -u --pid --pgid --uid <deny>

chrt <text> <command>...
  -a -b -d -f -i -o -r -v -R -G --all-tasks --batch --idle --fifo --other --rr --verbose
  -m -h --max --help --version: query
  -T -P -D --sched-runtime --sched-period --sched-deadline <text>
  -p --pid <deny>

taskset <text> <command>...
  -a -c --all-tasks --cpu-list
  -h -V --help --version: query
  -p --pid: deny

env <assignment>... <command>...
  -i -0 -v --ignore-environment --null --debug --list-signal-handling
  --help --version: query
  -u --unset <text>
  -a --argv0 <deny>
  -C --chdir <chdir>
  --block-signal --default-signal --ignore-signal [text]

command <command>...
  -p
  -v -V: query

builtin <command>...

xargs <command>...
  -0 -r -t -p -x -o --null --no-run-if-empty --verbose --interactive --exit --open-tty --show-limits
  --help --version: query
  -d -E -I -L -n -P -s --delimiter --max-args --max-procs --max-chars <text>
  --process-slot-var <deny>
  -a --arg-file <read>
  -e -i -l --eof --replace --max-lines [text]
`
