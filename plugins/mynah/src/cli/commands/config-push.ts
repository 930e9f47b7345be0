import { dirname, join, resolve } from 'node:path'
import type { FileComparison } from '@mynah/kernel'
import type { Arguments } from '../arguments.js'
import { ask } from '../control.js'
import { EXIT } from '../exit-codes.js'
import type { ConfigurationResult, PushOrder } from '../protocol.js'
import { bad, good, Prompt, say, show } from '../setup/terminal.js'
import { UserError } from '../user-error.js'
import { visibleJson, visibleLines } from '../visible.js'

/** Makes the configuration file of this host the configuration of all hosts that share it. */
export async function configPush(args: Arguments): Promise<number> {
  const json = args.options.has('json')
  const { comparison } = await answerOf(args, 'comparison')
  const { revision, sha, lines, setAside } = comparison
  if (!json) describe(args.config, comparison)
  if (lines.length === 0) {
    if (json) print({ revision, changes: [], ...(setAside === undefined ? {} : { setAside }) })
    return EXIT.ok
  }
  await confirm(args)
  const { pushed } = await answerOf(args, 'pushed', { revision, sha })
  if (json) print({ revision: pushed, changes: lines })
  else say(`revision ${pushed}: all hosts run it`)
  return EXIT.ok
}

function describe(config: string, { revision, lines, setAside }: FileComparison): void {
  if (lines.length > 0) say(`${config} changes revision ${revision} of all hosts:`)
  else say(`${config} is revision ${revision}, which all hosts run: nothing to push`)
  if (lines.length === 0 && setAside !== undefined)
    say(`another host was first with a change; the file that it replaced here is ${setAside}`)
  for (const line of lines) show(`  ${coloured(visibleLines(line))}`)
}

function coloured(line: string): string {
  if (line.startsWith('+')) return good(line)
  return line.startsWith('-') ? bad(line) : line
}

async function confirm({ options }: Arguments): Promise<void> {
  if (options.has('yes')) return
  const prompt = options.has('json') ? undefined : Prompt.open()
  try {
    if ((await prompt?.choose('Let all hosts run this?', ['no', 'yes'])) !== 'yes')
      throw new UserError('nothing was changed', { exitCode: EXIT.refused, remedy: 'Confirm the change with --yes' })
  } finally {
    prompt?.close()
  }
}

/** Asks the running host. */
async function answerOf<K extends 'comparison' | 'pushed'>(
  { config }: Arguments,
  kind: K,
  push?: PushOrder,
): Promise<Extract<ConfigurationResult, Record<K, unknown>>> {
  const answer = await ask(join(dirname(resolve(config)), 'data'), { do: 'configuration', ...(push ? { push } : {}) })
  if (!answer)
    throw new UserError(`no host of ${config} is running`, {
      exitCode: EXIT.failure,
      remedy: 'Start it with: mynah start',
    })
  if ('error' in answer) throw new UserError(answer.error, { exitCode: EXIT.failure })
  const { configuration: result } = answer
  if (result && 'refused' in result) throw refusalOf(result.refused)
  if (!result || !(kind in result)) throw new UserError('the host is starting or stopping', { exitCode: EXIT.failure })
  return result as Extract<ConfigurationResult, Record<K, unknown>>
}

function refusalOf({ code, message, details }: Extract<ConfigurationResult, { refused: unknown }>['refused']): Error {
  const rest = details.filter((line) => line !== message)
  return new UserError(message, {
    exitCode: exitOf(code),
    ...(rest.length > 0 ? { remedy: rest.join('\n    ') } : {}),
  })
}

function exitOf(code: string): number {
  if (code.startsWith('invalid_request')) return EXIT.configuration
  return code === 'conflict' ? EXIT.refused : EXIT.failure
}

const print = (value: unknown): void =>
  void process.stdout.write(`${visibleJson(JSON.stringify(value, undefined, 2))}\n`)
