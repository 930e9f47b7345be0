// The checks that differ where something holds a command, and where nothing does.
import { isPathLike, usesOf, type Invocation } from './invocation.js'
import { hasOption } from './parse-args.js'
import { namesSecret, type PathRules } from './path-rules.js'
import type { Effect } from './programs/program-spec.js'
import type { ResolvedCommand } from './resolved.js'
import { isTopicFolder } from './secrets.js'
import { HARMLESS_DEVICE } from './system-paths.js'
import type { ExecPolicy, OutsidePath } from './types.js'
import type { Arg } from './words.js'

/** Folders that every view has, and those that it has its own of. */
const IN_VIEW = /^\/(?:usr|bin|sbin|lib\w*|etc|proc|dev|sys|run|tmp|var\/tmp|var\/lib\/(?:dpkg|apt))(?:\/|$)/
const OF_PATHS: ReadonlySet<Effect> = new Set<Effect>(['read', 'tree', 'list', 'listTree', 'write', 'any', 'script'])
/** Uses that show the name of a file, and not what it holds. */
const NAMES: ReadonlySet<Effect> = new Set<Effect>(['list', 'listTree'])
const WRITES: ReadonlySet<Effect> = new Set<Effect>(['write', 'sideWrite', 'fetch'])
/** Effects of operands that can be proven to be harmless. */
const PROVABLE: ReadonlySet<Effect> = new Set<Effect>(['read', 'list'])

/** Whether the owner trusts level `wall` with commands that no list has. */
export const isWalled = ({ level, trust }: ExecPolicy): boolean => level === 'wall' && trust === 'walled'

/**
 * Returns why the owner is asked about a listed command at level `wall`. Its view holds the effects of its words, so
 * only credentials in its folders and paths outside of the view are looked for. In the preset `readonly`, what is
 * outside is just not there.
 */
export function wallProblem(
  command: ResolvedCommand,
  invocation: Invocation,
  policy: ExecPolicy,
  paths: PathRules,
): string | undefined {
  if (command.concerns[0] !== undefined) return command.concerns[0]
  const secret = literalPaths(command, invocation).find(
    ({ arg, shows }) => shows && namesSecret(folderOf(arg.value ?? '', invocation)),
  )
  if (secret !== undefined) return `${secret.arg.text} may hold credentials`
  if (policy.execPreset === 'readonly') return undefined
  const outside = outsidePaths(command, invocation, policy, paths).find(({ path }) => !paths.isInHome(path))
  return outside === undefined ? undefined : `${outside.path} is outside of what commands see`
}

/** Git only shows what is tracked: to it, a folder of sources about credentials is a folder as any other. */
const folderOf = (path: string, { name }: Invocation): string =>
  name === 'git' && isTopicFolder(path) ? `${path}/…` : path

/** Returns the paths that a command names and no view has. Those of the home folder are replaced by its own. */
export function outsidePaths(
  command: ResolvedCommand,
  invocation: Invocation,
  policy: ExecPolicy,
  paths: PathRules,
): OutsidePath[] {
  const seen = policy.seen ?? []
  return literalPaths(command, invocation).flatMap(({ arg, write }) =>
    paths.isLocal(arg)
      ? []
      : paths
          .resolve(arg)
          .filter((path) => /^\/[^\0-\x1f]*$/.test(path) && !IN_VIEW.test(path) && path !== '/')
          .filter((path) => !seen.some((folder) => path === folder || path.startsWith(`${folder}/`)))
          .map((path) => ({ path, write })),
  )
}

interface LiteralPath {
  readonly arg: Arg
  readonly write: boolean
  /** Whether the content of the file is used. */
  readonly shows: boolean
}

/** Returns the paths that a command writes out. */
function literalPaths({ redirects }: ResolvedCommand, invocation: Invocation): readonly LiteralPath[] {
  const redirected = redirects.flatMap(({ effect, target }) =>
    target?.value !== undefined && (effect === 'read' || effect === 'write')
      ? [{ arg: target, write: effect === 'write', shows: true }]
      : [],
  )
  const used = usesOf(invocation)
    .filter(({ effect, arg }) => arg.value !== undefined && (WRITES.has(effect) || OF_PATHS.has(effect)))
    .filter(({ effect, arg }) => effect !== 'any' || isPathLike(arg))
    .map(({ effect, arg }) => ({ arg, write: WRITES.has(effect), shows: !NAMES.has(effect) }))
  return [...redirected, ...used]
}

/**
 * Returns whether one of the words that read provably only reads below its working directory: its words are written
 * out, name no path elsewhere, no credentials and nothing below a folder, and hold no code.
 */
export function isProvable(command: ResolvedCommand, { name, parsed, args }: Invocation, paths: PathRules): boolean {
  if (parsed === undefined || parsed.unknown !== undefined || parsed.uncertain !== undefined) return false
  if (args.some(({ value }) => value === undefined) || command.environment.length > 0) return false
  if (hasOption(parsed.givenOptions, parsed.spec.recursive)) return false
  if (command.wrappers.length > 0 || parsed.command.length > 0 || parsed.innerCommands.length > 0) return false
  return parsed.uses.every(({ effect, arg, option }) => {
    if (effect === 'setting') return name === 'date' && arg.shape.startsWith('+')
    if (effect === 'text' || effect === 'query') return true
    // The file of an option may hold names of others.
    return PROVABLE.has(effect) && option === undefined && unprovenRead(arg, paths) === undefined
  })
}

/** Returns why reading a file is not provably harmless, as it is shown in a reason. */
export function unprovenRead(arg: Arg, paths: PathRules): string | undefined {
  if (arg.value === undefined) return `${arg.text}, which is only known when it runs`
  if (HARMLESS_DEVICE.test(arg.value)) return undefined
  // Without a view, `/tmp` is that of the machine.
  if (!paths.isBelow(arg)) return `${arg.text}, which is outside of its folder`
  return namesSecret(arg.value) ? `${arg.text}, which may hold credentials` : undefined
}
