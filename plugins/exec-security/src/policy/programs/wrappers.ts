// Commands that run the command in their own words, and are looked through.
import type { ProgramSpec } from './program-spec.js'

const COMMON = { query: 'help version' } as const

export const WRAPPERS: Readonly<Record<string, ProgramSpec>> = {
  timeout: {
    flags: 'v foreground preserve-status verbose',
    acts: COMMON,
    values: { text: 'k s kill-after signal' },
    runs: { after: 1 },
  },
  nice: { acts: COMMON, values: { text: 'n adjustment' }, numbers: true, runs: { after: 0 } },
  nohup: { acts: COMMON, runs: { after: 0 } },
  time: {
    flags: 'p v q a portability verbose quiet append',
    acts: { query: 'help version V' },
    values: { text: 'f format', write: 'o output' },
    runs: { after: 0 },
  },
  stdbuf: { acts: COMMON, values: { text: 'i o e input output error' }, runs: { after: 0 } },
  setsid: { flags: 'c f w ctty fork wait', acts: { query: 'help version h V' }, runs: { after: 0 } },
  ionice: {
    flags: 't ignore',
    acts: { query: 'help version h V' },
    values: { text: 'c n class classdata', never: 'p P u pid pgid uid' },
    runs: { after: 0 },
  },
  chrt: {
    flags: 'a b d f i o r v R G all-tasks batch idle fifo other rr verbose',
    acts: { query: 'm h max help version' },
    values: { text: 'T P D sched-runtime sched-period sched-deadline', never: 'p pid' },
    runs: { after: 1 },
  },
  taskset: { flags: 'a c all-tasks cpu-list', acts: { query: 'help version h V', never: 'p pid' }, runs: { after: 1 } },
  env: {
    flags: 'i 0 v ignore-environment null debug list-signal-handling',
    acts: COMMON,
    values: { text: 'u unset', never: 'a argv0 C chdir' },
    optional: { text: 'block-signal default-signal ignore-signal' },
    runs: { after: 0, assignments: true },
  },
  command: { flags: 'p', acts: { query: 'v V' }, runs: { after: 0 } },
  builtin: { runs: { after: 0 } },
  xargs: {
    flags: '0 r t p x o null no-run-if-empty verbose interactive exit open-tty show-limits',
    acts: COMMON,
    values: {
      text: 'd E I L n P s delimiter max-args max-procs max-chars',
      never: 'process-slot-var',
      read: 'a arg-file',
    },
    optional: { text: 'e i l eof replace max-lines' },
    runs: { after: 0 },
  },
}
