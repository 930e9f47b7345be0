// Looks through commands that run another command given as their arguments.
import { baseName } from './blacklist.js'
import { parseOptions } from './options.js'
import type { OptionTable } from './options.js'
import { HOLE, inputArg } from './words.js'
import type { Arg } from './words.js'
import type { Stdin } from './redirects.js'

/** What a wrapper runs. */
export interface Unwrapped {
  /** The inner command; empty when the wrapper runs none. */
  readonly inner: readonly Arg[]
  readonly environment: readonly { readonly name: string; readonly value: Arg }[]
  /** Files that the wrapper itself reads. */
  readonly reads: readonly Arg[]
  /** Why the wrapper itself is not harmless, although its command may be. */
  readonly concern?: string
  /** The standard input of the inner command, where the wrapper takes its own. */
  readonly stdin?: Stdin
}

interface WrapperTable extends OptionTable {
  /** Words that stand between the options and the command. */
  readonly operands?: number
  /** Whether `NAME=value` words stand before the command. */
  readonly assignments?: boolean
  /** Options with which no command is run. */
  readonly queries?: readonly string[]
  /** Options that write a file or otherwise need cover. */
  readonly concerns?: readonly string[]
}

const COMMON = ['help', 'version']

const TABLES: Readonly<Record<string, WrapperTable>> = {
  timeout: {
    flags: 'v', values: 'ks', long: ['foreground', 'preserve-status', 'verbose', ...COMMON], longValues: ['kill-after', 'signal'],
    operands: 1, queries: ['--help', '--version']
  },
  nice: { values: 'n', numbers: true, long: COMMON, longValues: ['adjustment'], queries: ['--help', '--version'] },
  nohup: { long: COMMON, queries: ['--help', '--version'] },
  time: {
    flags: 'pvqaV', values: 'fo', long: ['portability', 'verbose', 'quiet', 'append', ...COMMON], longValues: ['format', 'output'],
    queries: ['--help', '--version', '-V'], concerns: ['-o', '--output']
  },
  stdbuf: { values: 'ioe', long: COMMON, longValues: ['input', 'output', 'error'], queries: ['--help', '--version'] },
  setsid: { flags: 'cfwhV', long: ['ctty', 'fork', 'wait', ...COMMON], queries: ['--help', '--version', '-h', '-V'] },
  ionice: {
    flags: 'thV', values: 'cnpPu', long: ['ignore', ...COMMON], longValues: ['class', 'classdata', 'pid', 'pgid', 'uid'],
    queries: ['--help', '--version', '-h', '-V', '-p', '-P', '-u', '--pid', '--pgid', '--uid']
  },
  chrt: {
    flags: 'abdfiormvRGh', values: 'pTPD', long: ['all-tasks', 'batch', 'idle', 'fifo', 'other', 'rr', 'max', 'verbose', ...COMMON],
    operands: 1, queries: ['-p', '-m', '--max', '--help', '--version', '-h']
  },
  taskset: { flags: 'acphV', long: ['all-tasks', 'pid', 'cpu-list', ...COMMON], operands: 1, queries: ['-p', '--pid', '--help', '--version', '-h', '-V'] },
  env: {
    flags: 'i0v', values: 'uCa', long: ['ignore-environment', 'null', 'debug', 'list-signal-handling', ...COMMON],
    longValues: ['unset', 'chdir', 'argv0'], longOptional: ['block-signal', 'default-signal', 'ignore-signal'],
    assignments: true, queries: ['--help', '--version'], concerns: ['-C', '--chdir', '-a', '--argv0']
  },
  command: { flags: 'pvV', queries: ['-v', '-V'] },
  builtin: {},
  xargs: {
    flags: '0rtpxo', values: 'adEILnPs', optional: 'eil',
    long: ['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty', 'show-limits', ...COMMON],
    longValues: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
    longOptional: ['eof', 'replace', 'max-lines'], queries: ['--help', '--version']
  }
}

/** Whether a word names a command that the policy looks through. */
export function isWrapper(name: string): boolean {
  return Object.hasOwn(TABLES, name)
}

/** Looks through one wrapper; a string is the reason why that is not possible. */
export function unwrap(name: string, args: readonly Arg[]): Unwrapped | string {
  const table = TABLES[name]
  if (table === undefined) return `${name} is not a known wrapper`
  let words = args
  // `env -` is an old spelling of `env -i`.
  if (name === 'env' && words[0]?.value === '-') words = words.slice(1)
  const parsed = parseOptions(words, { ...table, stopAtOperand: true })
  if (typeof parsed === 'string') return `${name} has an option that is not known: ${parsed}`
  const given = new Set(parsed.options.map((option) => option.name))
  if (table.queries?.some((query) => given.has(query)) === true) return { inner: [], environment: [], reads: [] }
  if (parsed.uncertain.length > 0) return `an argument of ${name} is computed: ${parsed.uncertain[0]?.text ?? ''}`

  let inner = [...parsed.rest]
  for (let i = 0; i < (table.operands ?? 0); i++) {
    const operand = inner.shift()
    if (operand?.splits === true || operand?.shape.startsWith(HOLE) === true) return `an argument of ${name} is computed: ${operand.text}`
  }
  const environment: { name: string; value: Arg }[] = []
  while (table.assignments === true && inner[0] !== undefined && inner[0].shape.includes('=')) {
    const [word] = inner
    const at = word.shape.indexOf('=')
    const variable = word.shape.slice(0, at)
    if (word.splits || variable.includes(HOLE)) return `an argument of ${name} is computed: ${word.text}`
    const shape = word.shape.slice(at + 1)
    environment.push({ name: variable, value: { ...word, shape, value: word.value === undefined ? undefined : shape } })
    inner = inner.slice(1)
  }
  // Some implementations take a late `--` as the end of options, others as the command: what follows is followed.
  while (inner[0]?.shape === '--') inner = inner.slice(1)
  const option = table.concerns?.find((candidate) => given.has(candidate))
  let concern = option === undefined ? undefined : `${name} ${option} is not read-only`
  if (name === 'env' && inner.length === 0) concern = 'env prints the whole environment'
  const base = { inner, environment, reads: [], ...(concern === undefined ? {} : { concern }) }
  return name === 'xargs' ? unwrapXargs(base, parsed.options) : base
}

function unwrapXargs(base: Unwrapped, options: readonly { name: string; value: Arg | undefined }[]): Unwrapped {
  let marker: string | undefined
  const reads: Arg[] = []
  for (const { name, value } of options) {
    if (name === '-I') marker = value?.value ?? HOLE
    else if (name === '-i' || name === '--replace') marker = value?.value ?? '{}'
    else if ((name === '-a' || name === '--arg-file') && value !== undefined) reads.push(value)
  }
  const stdin = { kind: reads.length > 0 ? 'unknown' : 'none' } as const
  if (base.inner.length === 0) return { ...base, reads, stdin }
  const inner = marker === undefined
    ? [...base.inner, inputArg('…')]
    : base.inner.map((arg) => substitute(arg, marker))
  return { ...base, inner, reads, stdin }
}

/** A word in which a marker is replaced by something only known when the command runs. */
export function substitute(arg: Arg, marker: string): Arg {
  if (marker === '' || !arg.shape.includes(marker)) return arg
  return { ...inputArg(arg.text, arg.shape.replaceAll(marker, HOLE), false), variables: arg.variables }
}

/** Commands that hand their arguments to another program in ways too many to list; they need cover themselves. */
const RUNNERS = new Set(
  `doas pkexec runuser gosu su-exec sg chroot unshare nsenter setarch linux32 linux64 i386 x86_64 prlimit setpriv capsh systemd-run
  start-stop-daemon watch script strace ltrace flock parallel unbuffer xvfb-run dbus-run-session dbus-launch ssh-agent fakeroot
  proxychains proxychains4 torsocks torify firejail bwrap valgrind perf catchsegv numactl cgexec tmux screen entr hyperfine rlwrap
  npx bunx pnpx pnpm yarn npm bun uv poetry pipenv conda bundle direnv dotenv caffeinate faketime nq proot cpulimit choom uclampset softlimit
  chpst envdir setuidgid dumb-init tini daemonize daemon eatmydata nocache schedtool trickle aa-exec chronic ifne pee sem gtimeout gnice gnohup
  gstdbuf genv gxargs systemd-inhibit systemd-cat newgrp lockf nodemon concurrently`.split(/\s+/)
)

/** Whether a command may run another one that the table of wrappers does not describe. */
export function isRunner(name: string): boolean {
  return RUNNERS.has(baseName(name))
}

/** Whether a runner finds its program in packages and starts it without a shell. */
export function isPackageRunner(name: string): boolean {
  return /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|uv|poetry|pipenv|conda|bundle)$/.test(name)
}

/** The words of a runner that may be a command word or a script: up to the first that is plainly another command. */
export function runnerCandidates(name: string, args: readonly Arg[]): readonly string[] {
  if (Object.hasOwn(PACKAGE_RUNNERS, name)) return packageCandidates(PACKAGE_RUNNERS[name] as RegExp, args)
  const candidates: string[] = []
  for (const arg of args) {
    if (arg.value === undefined) continue
    if (PLAIN_WORDS.has(arg.value)) break
    candidates.push(arg.value.replace(/^--?[\w-]+=/, ''))
  }
  return candidates
}

/** The subcommands of package managers that start a program by name; the empty one is a program given at once. */
const PACKAGE_RUNNERS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/, npx: /^$/, pnpm: /^(?:exec|dlx|)$/, pnpx: /^$/, yarn: /^(?:exec|dlx|)$/, bun: /^(?:run|x|)$/, bunx: /^$/
}

/** Subcommands after which the name of a package and then another subcommand or program stands. */
const PASSES_ON = /^(?:workspaces?|foreach|explore)$/

const WITHOUT_VALUE = /^(?:--|-[yqrsdD]|--(?:yes|no|no-install|quiet|silent|bun|offline|prefer-offline|ignore-existing|verbose|recursive|parallel|if-present))$/

/** The program that a package manager starts, and the values of its options that could be it; not the arguments of the program. */
function packageCandidates(starting: RegExp, args: readonly Arg[]): readonly string[] {
  const candidates: string[] = []
  let starts = starting.test('')
  let sure = true
  for (const arg of args) {
    const word = arg.value
    if (word === undefined) {
      if (sure) return candidates
      sure = true
    } else if (word.startsWith('-')) {
      candidates.push(word.replace(/^--?[\w-]+=?/, ''))
      // The word after an option may be its value or the program.
      sure = WITHOUT_VALUE.test(word) || word.includes('=')
    } else {
      if (PASSES_ON.test(word)) {
        starts = true
        sure = false
        continue
      }
      const enters = starting.test(word)
      if (starts || !sure) candidates.push(word)
      if (sure && !enters) return candidates
      starts ||= enters
      sure = true
    }
  }
  return candidates
}

const PLAIN_WORDS = new Set(
  'ls cat grep find echo printf man which type whereis apt apt-get git node python python3 rm cp mv add install remove i info view show search list ls why'.split(' ')
)
