// find: its expression may run commands, delete and write, so every word of it is read.
import { displayShape, secretDirectory } from './secrets.js'
import { HOLE } from './words.js'
import type { Arg } from './words.js'
import { substitute } from './wrappers.js'

const TESTS = new Set(
  `-a -and -o -or -not ! ( ) , -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn -noleaf
  -empty -executable -readable -writable -nouser -nogroup -true -false -print -print0 -ls -prune -quit -help -version --help --version
  -H -L -P -O0 -O1 -O2 -O3 -E -X -x -s`.split(/\s+/)
)
const TESTS_WITH_VALUE = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -regextype -maxdepth -mindepth -type -xtype -size -perm
  -user -group -uid -gid -links -inum -samefile -newer -anewer -cnewer -mmin -mtime -amin -atime -cmin -ctime -used -fstype -context
  -printf -D`.split(/\s+/)
)
const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** A command that find runs, with holes for the names that it finds. */
export function findCommands(args: readonly Arg[]): readonly (readonly Arg[])[] {
  const commands: (readonly Arg[])[] = []
  for (let i = 0; i < args.length; i++) {
    if (!RUNS.has(args[i]?.value ?? '')) continue
    const inner: Arg[] = []
    for (i += 1; i < args.length; i++) {
      const arg = args[i]
      if (arg === undefined || arg.value === ';' || (arg.value === '+' && args[i - 1]?.value === '{}')) break
      inner.push(substitute(arg, '{}'))
    }
    commands.push(inner)
  }
  return commands
}

/** Whether a computed word may itself begin a command for find to run. */
export function findIsComputed(args: readonly Arg[]): boolean {
  const ends = args.some((arg, i) => arg.value === ';' || (arg.value === '+' && args[i - 1]?.value === '{}'))
  const runs = args.some((arg) => RUNS.has(arg.value ?? ''))
  if (ends && !runs) return true
  // Between the words of a command that is run, a word that splits may end it and begin another.
  const first = args.findIndex((arg) => RUNS.has(arg.value ?? ''))
  return args.some((arg, i) => arg.splits && i > first && first >= 0 && !arg.unknown.every((kind) => kind === 'glob'))
}

/** Returns what is not read-only about an expression, apart from the commands it runs, which are judged by themselves. */
export function checkFind(args: readonly Arg[]): string | undefined {
  let inPaths = true
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (arg === undefined) break
    const { shape } = arg
    if (!/^[-(!,)]/.test(shape)) {
      if (!inPaths || shape.startsWith(HOLE) && !plainHole(arg)) return `the argument ${arg.text} of find is computed or out of place`
      if (secretDirectory(arg)) return `find would look into ${displayShape(arg)}, which may hold credentials`
      continue
    }
    const word = arg.value
    if (word === undefined) return `the argument ${arg.text} of find is computed`
    if (!/^-(?:[HLPEXdsx]|O\d)$/.test(word)) inPaths = false
    if (RUNS.has(word)) {
      i += 1
      while (i < args.length && args[i]?.value !== ';' && !(args[i]?.value === '+' && args[i - 1]?.value === '{}')) i += 1
      if (i >= args.length) return `${word} of find has no end`
    } else if (TESTS_WITH_VALUE.has(word) || /^-newer[aBcm][aBcmt]$/.test(word)) {
      i += 1
      const value = args[i]
      if (value === undefined || value.splits && !value.unknown.every((kind) => kind === 'glob')) return `${word} of find lacks its value`
    } else if (!TESTS.has(word)) {
      return `find ${word} is not read-only`
    }
  }
  return undefined
}

/** A file name from a pattern or a loop, like the shell's own directories, cannot begin an action unless it begins with a hyphen. */
function plainHole(arg: Arg): boolean {
  return arg.unknown.every((kind) => kind === 'glob' || kind === 'variable') && (arg.variables.length === 0 || !arg.splits || arg.variables.every((name) => name === 'HOME' || name === 'PWD'))
}
