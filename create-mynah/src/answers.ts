// What a project shall be: from flags, and asked for where a person is there to answer.
import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { EXIT, UsageError } from './usage-error.js'

export const KINDS = ['bot', 'plugin', 'adapter'] as const
export type Kind = (typeof KINDS)[number]
export const PLATFORMS = ['sandbox', 'irc', 'telegram'] as const
export type Platform = (typeof PLATFORMS)[number]

export interface Answers {
  readonly kind: Kind
  /** Where it is written, as given. */
  readonly folder: string
  /** Its short name: letters, digits and hyphens. */
  readonly name: string
  /** Of a bot: where it chats beside the sandbox. */
  readonly platform: Platform
  /** Of a bot: whether messages are kept in a database, which compiles SQLite where no built one can be had. */
  readonly database: boolean
  /** Of a plugin: whether it brings a page of the console. */
  readonly page: boolean
  readonly install: boolean
  /** Whether it is started when it is installed. */
  readonly start: boolean
  /** Folder with tarballs of Mynah's packages, in place of the registry. */
  readonly from?: string
}

export const USAGE = `npm create mynah [bot|plugin|adapter] <folder> -- [options]

  bot          a host of your own with a bot in one TypeScript file (default)
  plugin       a package that other hosts install by name
  adapter      a plugin that connects a chat platform

  --platform sandbox|irc|telegram   bot: where it chats; the sandbox is always there
  --database                        bot: keep messages, also over restarts
  --page                            plugin: with a page of the console
  --yes                             ask nothing
  --no-install                      only write the files
  --start, --no-start               start it when it is installed; a bot is where you are asked
  --from <folder>                   take Mynah's packages from tarballs in this folder
  --verbose                         stacks of errors that nobody foresaw
`

const DEFAULTS: Readonly<Record<Kind, string>> = {
  bot: 'my-bot',
  plugin: 'mynah-plugin-hello',
  adapter: 'mynah-plugin-line',
}

/**
 * Reads flags and asks for what they leave open.
 *
 * @throws UsageError where they make no sense.
 */
export async function answersFrom(
  argv: readonly string[],
  questions: Prompt | undefined = terminal(),
): Promise<Answers> {
  const { values, positionals } = read(argv)
  try {
    return await completeAnswers(values, [...positionals], values.yes ? undefined : questions)
  } catch (error) {
    // Ctrl-C at a question.
    if (error instanceof Error && error.name === 'AbortError')
      throw new UsageError('\nStopped. Nothing was written.', EXIT.stopped)
    throw error
  } finally {
    questions?.close()
  }
}

/** Somebody who can be asked. */
export interface Prompt {
  question(text: string): Promise<string>
  close(): void
}

function terminal(): Prompt | undefined {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
    ? createInterface({ input: process.stdin, output: process.stdout })
    : undefined
}

async function completeAnswers(values: Values, words: string[], questions: Prompt | undefined): Promise<Answers> {
  let kind: Kind | undefined = isKind(words[0]) ? (words.shift() as Kind) : undefined
  if (words.length > 1)
    throw new UsageError(
      `${kind === undefined ? `"${words[0]}" is none of ${KINDS.join(', ')}` : `Too many words: ${words.join(' ')}`}\n\n${USAGE}`,
      EXIT.usage,
    )
  kind ??= questions && words.length === 0 ? await choose(questions, 'What is it?', KINDS) : 'bot'
  const folder = words[0] ?? (questions ? await ask(questions, 'Into which folder?', DEFAULTS[kind]) : DEFAULTS[kind])
  const platform =
    values.platform ??
    (questions && kind === 'bot' ? await choose(questions, 'Where does it chat?', PLATFORMS) : 'sandbox')
  if (!(PLATFORMS as readonly string[]).includes(platform))
    throw new UsageError(`--platform must be one of ${PLATFORMS.join(', ')}, not "${platform}"`, EXIT.usage)
  const page =
    values.page ??
    (questions && kind === 'plugin'
      ? (await choose(questions, 'With a page of the console?', ['no', 'yes'])) === 'yes'
      : false)
  for (const [option, of] of [
    ['platform', 'bot'],
    ['database', 'bot'],
    ['page', 'plugin'],
  ] as const) {
    if (values[option] !== undefined && kind !== of)
      throw new UsageError(
        `--${option} belongs to a ${of}, not to ${kind === 'adapter' ? 'an adapter' : `a ${kind}`}`,
        EXIT.usage,
      )
  }
  const install = values['no-install'] !== true
  return {
    kind,
    folder,
    name: nameOf(folder, kind),
    platform: platform as Platform,
    page,
    database: values.database ?? false,
    install,
    start: install && (values.start ?? (questions !== undefined && kind === 'bot' && values['no-start'] !== true)),
    ...(values.from ? { from: resolve(values.from) } : {}),
  }
}

type Values = ReturnType<typeof read>['values']

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        platform: { type: 'string' },
        database: { type: 'boolean' },
        page: { type: 'boolean' },
        yes: { type: 'boolean' },
        'no-install': { type: 'boolean' },
        start: { type: 'boolean' },
        'no-start': { type: 'boolean' },
        from: { type: 'string' },
        verbose: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}\n\n${USAGE}`, EXIT.usage)
  }
}

const isKind = (word: string | undefined): boolean => (KINDS as readonly (string | undefined)[]).includes(word)

/** `mynah-plugin-hello` is the plugin `hello`. */
function nameOf(folder: string, kind: Kind): string {
  const last = basename(resolve(folder))
  const name = (kind === 'bot' ? last : last.replace(/^mynah-plugin-/, ''))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (!/^[a-z]/.test(name) || name.length > 100)
    throw new UsageError(`The folder "${last}" makes no name for a package: begin it with a letter`, EXIT.usage)
  return name
}

async function ask(questions: Prompt, question: string, fallback: string): Promise<string> {
  return (await questions.question(`${question} (${fallback}) `)).trim() || fallback
}

async function choose<T extends string>(questions: Prompt, question: string, choices: readonly T[]): Promise<T> {
  for (;;) {
    const answer = await ask(questions, `${question} ${choices.join(', ')}`, choices[0] as string)
    const found = choices.find((choice) => choice.startsWith(answer.toLowerCase()))
    if (found) return found
  }
}
