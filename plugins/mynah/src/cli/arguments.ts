// The command line's words and options.
import { parseArgs } from 'node:util'
import { nearest } from '@mynah/kernel'

/** What a command receives. */
export interface Arguments {
  /** Configuration file, as given. */
  readonly config: string
  readonly options: ReadonlySet<string>
}

/** A mistake on the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The commands with the options that each understands beside `-c`. */
export const COMMANDS = {
  start: ['console'],
  dev: ['console'],
  doctor: [],
  'config check': [],
  token: ['show'],
  help: [],
  version: [],
} as const satisfies Record<string, readonly string[]>

export type CommandName = keyof typeof COMMANDS

/** Reads `argv` (without node and script). */
export function parseCommandLine(argv: readonly string[]): { command: CommandName; args: Arguments } {
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        config: { type: 'string', short: 'c', default: 'mynah.config.yml' },
        console: { type: 'boolean' },
        show: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
  const { values, positionals } = parsed
  const config = values['config'] as string
  if (!config) throw new UsageError('-c needs the name of a configuration file')
  if (values['help']) return { command: 'help', args: { config, options: new Set() } }
  if (values['version']) return { command: 'version', args: { config, options: new Set() } }
  const words = positionals.join(' ')
  if (!words) throw new UsageError('no command given')
  if (!Object.hasOwn(COMMANDS, words)) {
    const meant = nearest(words, Object.keys(COMMANDS))
    throw new UsageError(`there is no command "${words}"${meant ? `; did you mean "${meant}"?` : ''}`)
  }
  const command = words as CommandName
  const options = new Set(['console', 'show'].filter((option) => values[option]))
  for (const option of options) {
    if (!(COMMANDS[command] as readonly string[]).includes(option)) throw new UsageError(`"mynah ${command}" has no option --${option}`)
  }
  return { command, args: { config, options } }
}
