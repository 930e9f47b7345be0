// Judges the words of git: a command that changes the repository, and nothing else, is run with the repository open.
import { resolve } from 'node:path'
import { anyOf } from '../policy/any-of.js'
import { parseArgs } from '../policy/parse-args.js'
import type { ParsedArgs } from '../policy/parsed-args.js'
import { programSpec } from '../policy/programs/index.js'
import { names, type Effect } from '../policy/programs/program-spec.js'
import { staticArg } from '../policy/words.js'

/** A command of git that changes a repository. */
export interface GitChange {
  readonly subcommand: string
  /** Whether it may have the repository open: its words start no program, set nothing, and name nothing in `.git`. */
  readonly isAllowed: boolean
  /** The folder that it works in. */
  readonly folder: string
  /** Whether it reads its standard input. */
  readonly readsInput: boolean
  /** The worktree that it removes or moves. */
  readonly worktree?: string | undefined
}

/** Commands that change the repository by what they are given, and not its settings. */
const CHANGES = new Set(
  names(`
    add am apply branch checkout cherry-pick clean commit fetch gc init merge mv pull push rebase reset restore revert
    rm stash switch tag worktree
  `),
)
/** Commands that change a repository in other ways: settings, other repositories, programs of its own. */
const OTHER = new Set(
  names(`
    bisect config filter-branch maintenance notes remote replace sparse-checkout submodule subtree symbolic-ref
    update-index update-ref
  `),
)
/** Changes what lies in worktrees that a view does not show. */
const BLIND = /^worktree (?:prune|repair)$/
/** The strategies that git has. Another one is a program, which git would start later where it keeps the name. */
const STRATEGIES = new Set(names('ort recursive resolve octopus ours subtree'))
/** Options that name one, in words of a subcommand and the option. */
const STRATEGY = /^(?:(?:merge|pull|rebase|cherry-pick|revert) --strategy|(?:merge|pull|rebase) -s)$/
/** References that a fetch writes and that change what others mean. */
const OTHER_REFERENCES = /:refs\/(?!(?:heads|tags|remotes|pull)\/)/
/** The parts of these that only read. */
const READS = anyOf(
  /^(?:bisect (?:log|visualize)|notes (?:list|show)?|remote (?:show|get-url)?)$/,
  /^(?:sparse-checkout list|submodule (?:status|summary)?)$/,
)
const SETTERS = ['--add', '--replace-all', '--unset', '--unset-all', '--rename-section', '--remove-section']
/** Effects of words that neither start a program nor write a file in a place of their own. */
const HARMLESS: ReadonlySet<Effect> = new Set<Effect>(
  names('text read tree list listTree names write address') as Effect[],
)
/** With these, git works in other repositories too. */
const RECURSIVE = ['--submodule', '--recurse-submodules', '--bare']
/** More words are not looked at: names of many files. */
const MAX_WORDS = 100_000
const MAX_FOLDERS = 20
const MAX_OPTIONS = 1_000
/** The longest option, and the longest path of the system. */
const MAX_LENGTH = 4096
/** The folder of a repository, also where names have no case. */
const OF_GIT = /(?:^|[^\w.-])\.git(?:[/\\]|$)/i

/**
 * Returns what a command of git changes, or undefined for one that only reads.
 *
 * @param words the words after `git`
 * @param cwd the folder that it is started in
 */
export function gitChange(words: readonly string[], cwd: string): GitChange | undefined {
  const spec = programSpec('git')
  if (!spec || cwd.length > MAX_LENGTH || words.length > MAX_WORDS || !areBounded(words)) return undefined
  const parsed = parseArgs(
    words.map((word) => staticArg(word)),
    spec,
  )
  const [subcommand] = parsed.subcommandPath
  if (subcommand === undefined || !changes(subcommand, parsed)) return undefined
  const folder = parsed.uses
    .filter(({ option, effect }) => option === '-C' && effect === 'tree')
    .reduce((path, { arg }) => resolve(path, arg.shape), cwd)
  return {
    subcommand,
    isAllowed: isAllowed(subcommand, parsed),
    folder,
    readsInput: readsInput(subcommand, parsed),
    worktree: worktreeOf(parsed, folder),
  }
}

/** Whether the options before the subcommand can be followed without much work. */
function areBounded(words: readonly string[]): boolean {
  const options = words.filter((word, i) => word.startsWith('-') || words[i - 1] === '-C')
  const folders = options.filter((word) => word.startsWith('-C'))
  return (
    folders.length <= MAX_FOLDERS && options.length <= MAX_OPTIONS && options.every((word) => word.length <= MAX_LENGTH)
  )
}

function changes(subcommand: string, { subcommandPath, operands, givenOptions }: ParsedArgs): boolean {
  const inner = subcommandPath[1] ?? operands[0]?.shape
  if (CHANGES.has(subcommand)) return !/^(?:list|show)$/.test(subcommandPath[1] ?? '')
  if (subcommand === 'config' && givenOptions.has('--global')) return false
  if (subcommand === 'config')
    return SETTERS.some((option) => givenOptions.has(option)) || (operands.length > 1 && !givenOptions.has('--get'))
  return OTHER.has(subcommand) && !READS.test(`${subcommand} ${inner ?? ''}`)
}

function isAllowed(subcommand: string, parsed: ParsedArgs): boolean {
  const { subcommandPath, uses, givenOptions, unknown, uncertain } = parsed
  if (!CHANGES.has(subcommand) || unknown !== undefined || uncertain !== undefined) return false
  if (BLIND.test(subcommandPath.join(' '))) return false
  if (uses.some(({ option, arg }) => STRATEGY.test(`${subcommand} ${option}`) && !STRATEGIES.has(arg.shape)))
    return false
  if (/^(?:fetch|pull)$/.test(subcommand) && uses.some(({ arg }) => OTHER_REFERENCES.test(arg.shape))) return false
  if (RECURSIVE.some((option) => givenOptions.has(option))) return false
  return uses.every(({ effect, arg }) => HARMLESS.has(effect) && (effect === 'text' || !OF_GIT.test(arg.shape)))
}

/** Returns the worktree that is removed or moved. */
function worktreeOf({ subcommandPath, operands }: ParsedArgs, folder: string): string | undefined {
  const path = operands[0]?.shape
  return path !== undefined && /^worktree (?:remove|move)$/.test(subcommandPath.join(' '))
    ? resolve(folder, path)
    : undefined
}

/** Returns the command of git that changes the repository in a part of a line, as a decision has it, or undefined. */
export function changingGit(text: string): string | undefined {
  const [, name = ''] = /^(?:[^ ]*\/)?git (?:-C [^ ]+ |-[^ ]+ )*([a-z-]+)/.exec(text) ?? []
  return CHANGES.has(name) ? name : undefined
}

function readsInput(subcommand: string, { uses, operands, givenOptions }: ParsedArgs): boolean {
  if (uses.some(({ arg }) => arg.shape === '-') || givenOptions.has('--stdin')) return true
  if (givenOptions.has('--patch') || (givenOptions.has('-p') && subcommand !== 'fetch')) return true
  return (subcommand === 'am' || subcommand === 'apply') && operands.length === 0
}
