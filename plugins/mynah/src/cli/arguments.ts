import { parseArgs } from 'node:util'
import { closestMatch } from '@mynah/kernel'

/** Parsed arguments of a command. */
export interface Arguments {
  /** Configuration file, as given. */
  readonly config: string
  /** Names of the given options. */
  readonly options: ReadonlySet<string>
  /** Values of options that take one. */
  readonly values: Readonly<Record<string, string>>
  /** Words after the command. */
  readonly rest: readonly string[]
}

/** Thrown for an invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface CommandShape {
  /** Options in addition to `-c` and `--verbose`. */
  readonly options: readonly string[]
  /** Maximum number of words after the command, and their usage. */
  readonly words?: { readonly most: number; readonly usage: string }
}

/** The commands. */
const COMMANDS = {
  start: { options: ['console'] },
  dev: { options: ['console', 'open'] },
  console: { options: ['port', 'host'] },
  reload: { options: [] },
  status: { options: ['json'] },
  support: { options: ['yes', 'json', 'output'] },
  load: { options: ['messages', 'seconds', 'endpoint', 'text', 'url', 'yes', 'json'] },
  doctor: { options: ['json'] },
  'config check': { options: [] },
  'config push': { options: ['yes', 'json'] },
  token: { options: ['show'] },
  add: { options: ['yes', 'json', 'allow-script'], words: { most: 32, usage: 'mynah add <package[@range]>…' } },
  remove: { options: ['yes', 'json'], words: { most: 32, usage: 'mynah remove <package>…' } },
  update: { options: ['yes', 'json', 'allow-script'], words: { most: 32, usage: 'mynah update [package[@range]]…' } },
  rollback: { options: ['yes', 'json'] },
  packages: { options: ['json'] },
  'publish-check': { options: ['json', 'write'] },
  backup: { options: [], words: { most: 1, usage: 'mynah backup [folder]' } },
  restore: { options: ['yes', 'database'], words: { most: 1, usage: 'mynah restore <folder> [--database]' } },
  setup: {
    options: [],
    words: { most: 40, usage: 'mynah setup [platform <name> | model <family>] [option=value …]' },
  },
  'endpoint add': {
    options: [],
    words: { most: 40, usage: 'mynah endpoint add [<platform>] [option=value …]' },
  },
  new: {
    options: ['yes', 'platform', 'model', 'page', 'database', 'from', 'no-install', 'start', 'no-start'],
    words: { most: 2, usage: 'mynah new [bot|plugin|adapter] <folder>' },
  },
  help: { options: [] },
  version: { options: [] },
} as const satisfies Record<string, CommandShape>

export type CommandName = keyof typeof COMMANDS

const FLAGS = [
  'show',
  'json',
  'yes',
  'page',
  'database',
  'no-install',
  'start',
  'no-start',
  'write',
  'open',
  'verbose',
] as const
const VALUES = [
  'port',
  'host',
  'platform',
  'model',
  'from',
  'allow-script',
  'output',
  'messages',
  'seconds',
  'endpoint',
  'text',
  'url',
] as const

/**
 * Parses `argv` (without node and script).
 *
 * @throws UsageError
 */
export function parseCommandLine(argv: readonly string[]): { command: CommandName; args: Arguments } {
  const { values: given, positionals } = parsed(argv)
  const config = given['config'] as string
  if (!config) throw new UsageError('-c requires the name of a configuration file')
  const nothing = { config, options: new Set<string>(), values: {}, rest: [] }
  if (given['help']) return { command: 'help', args: nothing }
  if (given['version']) return { command: 'version', args: nothing }
  const { command, rest } = commandOf(positionals)
  const shape: CommandShape = COMMANDS[command]
  if (rest.length > (shape.words?.most ?? 0))
    throw new UsageError(
      shape.words ? `too many words; usage: ${shape.words.usage}` : `there is no command "${positionals.join(' ')}"`,
    )
  const options = new Set(['console', ...FLAGS, ...VALUES].filter((option) => given[option] !== undefined))
  for (const option of options) {
    if (option !== 'verbose' && !shape.options.includes(option))
      throw new UsageError(`"mynah ${command}" has no option --${option}`)
  }
  const values = Object.fromEntries(
    ['console', ...VALUES].flatMap((option) =>
      typeof given[option] === 'string' && given[option] ? [[option, given[option]]] : [],
    ),
  )
  return { command, args: { config, options, values, rest } }
}

function parsed(argv: readonly string[]): {
  values: Readonly<Record<string, unknown>>
  positionals: readonly string[]
} {
  try {
    return parseArgs({
      // Allows `--console` and `--console=8080`, because the parser does not support optional values.
      args: argv.map((word) => (word === '--console' ? '--console=' : word)),
      allowPositionals: true,
      options: {
        config: { type: 'string', short: 'c', default: 'mynah.config.yml' },
        console: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        ...Object.fromEntries(FLAGS.map((name) => [name, { type: 'boolean' as const }])),
        ...Object.fromEntries(VALUES.map((name) => [name, { type: 'string' as const }])),
      },
    })
  } catch (error) {
    const why = (error as Error).message.split('. ')[0] as string
    const unknown = /^Unknown option '--([^']{1,100})'/.exec(why)?.[1]
    const meant =
      unknown === undefined
        ? undefined
        : closestMatch(unknown, ['config', 'console', 'help', 'version', ...FLAGS, ...VALUES])
    throw new UsageError(meant === undefined ? why : `${why}; did you mean --${meant}?`)
  }
}

/** Splits words into the longest command and the rest. */
function commandOf(words: readonly string[]): { command: CommandName; rest: readonly string[] } {
  if (words.length === 0) throw new UsageError('no command given')
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    if (words.length >= count && Object.hasOwn(COMMANDS, name))
      return { command: name as CommandName, rest: words.slice(count) }
  }
  const said = words.join(' ')
  const meant = closestMatch(said, Object.keys(COMMANDS)) ?? closestMatch(words[0] as string, Object.keys(COMMANDS))
  throw new UsageError(`there is no command "${said}"${meant ? `; did you mean "${meant}"?` : ''}`)
}

/**
 * Parses a port.
 *
 * @throws UsageError
 */
export function portOf(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--${option} must be a port from 0 to 65535, not "${text}"`)
  return port
}
