import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { familyOf, MODELS, type Model, type Variable } from './models.js'
import { PLATFORMS, variablesOf, type Platform } from './platforms.js'
import { assertEmpty } from './target.js'
import { EXIT, UsageError } from './usage-error.js'

const KINDS = ['bot', 'plugin', 'adapter'] as const
export type Kind = (typeof KINDS)[number]

export interface Answers {
  readonly kind: Kind
  /** Folder to write to, as given. */
  readonly folder: string
  /** Short name: letters, digits and hyphens. */
  readonly name: string
  /** Platform of a bot, in addition to the sandbox. */
  readonly platform: Platform
  /** Models that answer in a bot's chats. */
  readonly model: Model
  /** Values for `.env` by the name of their variable; those that were not asked for are missing. */
  readonly values: Readonly<Record<string, string>>
  /** Whether a bot keeps messages in a database. Compiles SQLite where no binary is available. */
  readonly database: boolean
  /** Whether a plugin has a page in the console. */
  readonly page: boolean
  readonly install: boolean
  /** Whether to start it after the installation. */
  readonly start: boolean
  /** Folder with tarballs of Mynah's packages, to use instead of the registry. */
  readonly from?: string
}

export const USAGE = `npm create mynah [bot|plugin|adapter] <folder> -- [options]

  bot          a host of your own with a bot in one TypeScript file (default)
  plugin       a package that other hosts install by name
  adapter      a plugin that connects a chat platform

  --platform ${PLATFORMS.join('|')}
                                    bot: where it chats; the sandbox is always there
  --model ${MODELS.join('|')}
                                    bot: the models that answer
  --database                        bot: keep messages, also over restarts
  --page                            plugin: with a page of the console
  --yes                             ask nothing
  --no-install                      only write the files
  --start, --no-start               start it when it is installed; a bot is where you are asked
  --from <folder>                   take Mynah's packages from tarballs in this folder
  --verbose                         stacks of unexpected errors
`

const DEFAULTS: Readonly<Record<Kind, string>> = {
  bot: 'my-bot',
  plugin: 'mynah-plugin-hello',
  adapter: 'mynah-plugin-line',
}

/**
 * Reads flags and asks for the answers that they leave open.
 *
 * @throws UsageError when they are invalid
 */
export async function answersFrom(argv: readonly string[], prompt: Prompt | undefined = terminal()): Promise<Answers> {
  const { values, positionals } = read(argv)
  try {
    return await completeAnswers(values, [...positionals], values.yes ? undefined : prompt)
  } catch (error) {
    // Ctrl-C at a question.
    if (error instanceof Error && error.name === 'AbortError')
      throw new UsageError('\nStopped. Nothing was written.', EXIT.stopped)
    throw error
  } finally {
    prompt?.close()
  }
}

/** Asks questions in a terminal. */
export interface Prompt {
  question(text: string): Promise<string>
  close(): void
}

function terminal(): Prompt | undefined {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
    ? createInterface({ input: process.stdin, output: process.stdout })
    : undefined
}

async function completeAnswers(values: Values, words: string[], prompt: Prompt | undefined): Promise<Answers> {
  const kind = await kindOf(words, prompt)
  const fallback = DEFAULTS[kind]
  const folder = words[0] ?? (prompt ? await ask(prompt, 'Into which folder?', fallback) : fallback)
  const name = nameOf(folder, kind)
  // Before further questions, whose answers would be lost.
  await assertEmpty(folder)
  const platform = oneOf(PLATFORMS, '--platform', values.platform) ?? (await platformOf(kind, prompt))
  const settings = await valuesOf(variablesOf(platform, name), prompt)
  const model = oneOf(MODELS, '--model', values.model) ?? (await modelOf(kind, prompt))
  Object.assign(settings, await valuesOf(familyOf(model)?.variables ?? [], prompt))
  const page = values.page ?? (await wantsPage(kind, prompt))
  assertOptionsOf(kind, values)
  const install = values['no-install'] !== true
  const startsBot = prompt !== undefined && kind === 'bot' && values['no-start'] !== true
  return {
    kind,
    folder,
    name,
    platform,
    model,
    values: settings,
    page,
    database: values.database ?? false,
    install,
    start: install && (values.start ?? startsBot),
    ...(values.from ? { from: resolve(values.from) } : {}),
  }
}

/** Takes the kind from the first word, or asks for it. Removes that word. */
async function kindOf(words: string[], prompt: Prompt | undefined): Promise<Kind> {
  const [first] = words
  const isNamed = isKind(first)
  if (isNamed) words.shift()
  if (words.length > 1) {
    const problem = isNamed ? `Too many words: ${words.join(' ')}` : `"${first}" is none of ${KINDS.join(', ')}`
    throw new UsageError(`${problem}\n\n${USAGE}`, EXIT.usage)
  }
  if (isNamed) return first
  return prompt && words.length === 0 ? choose(prompt, 'What is it?', KINDS) : 'bot'
}

async function platformOf(kind: Kind, prompt: Prompt | undefined): Promise<Platform> {
  return prompt && kind === 'bot' ? choose(prompt, 'Where does it chat?', PLATFORMS) : 'sandbox'
}

async function modelOf(kind: Kind, prompt: Prompt | undefined): Promise<Model> {
  return prompt && kind === 'bot' ? choose(prompt, 'Which models answer?', MODELS) : 'none'
}

/** Asks for each variable. Empty answers without a fallback stay open, unless a value can be made. */
async function valuesOf(variables: readonly Variable[], prompt: Prompt | undefined): Promise<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const variable of variables) {
    const { name, question, fallback = '', make, problemOf = () => undefined } = variable
    const answer = prompt ? await askUntilValid(prompt, question, fallback, problemOf) : ''
    const value = answer || make?.()
    if (value) given[name] = value
  }
  return given
}

/** Returns the choice that a flag names, or undefined without the flag. */
function oneOf<T extends string>(choices: readonly T[], flag: string, given: string | undefined): T | undefined {
  const found = choices.find((choice) => choice === given)
  if (given !== undefined && found === undefined)
    throw new UsageError(`${flag} must be one of ${choices.join(', ')}, not "${given}"`, EXIT.usage)
  return found
}

async function wantsPage(kind: Kind, prompt: Prompt | undefined): Promise<boolean> {
  if (!prompt || kind !== 'plugin') return false
  return (await choose(prompt, 'With a page of the console?', ['no', 'yes'])) === 'yes'
}

const OPTION_KINDS = { platform: 'bot', model: 'bot', database: 'bot', page: 'plugin' } as const

function assertOptionsOf(kind: Kind, values: Values): void {
  for (const [option, owner] of Object.entries(OPTION_KINDS)) {
    if (values[option as keyof typeof OPTION_KINDS] === undefined || kind === owner) continue
    const other = kind === 'adapter' ? 'an adapter' : `a ${kind}`
    throw new UsageError(`--${option} belongs to a ${owner}, not to ${other}`, EXIT.usage)
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
        model: { type: 'string' },
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

const isKind = (word: string | undefined): word is Kind => (KINDS as readonly (string | undefined)[]).includes(word)

/** Derives the name from the folder: `mynah-plugin-hello` is the plugin `hello`. */
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

async function ask(prompt: Prompt, question: string, fallback: string): Promise<string> {
  return (await prompt.question(`${question}${fallback ? ` (${fallback})` : ''} `)).trim() || fallback
}

async function choose<T extends string>(prompt: Prompt, question: string, choices: readonly T[]): Promise<T> {
  const meant = (answer: string): T | undefined => choices.find((choice) => choice.startsWith(answer.toLowerCase()))
  const answer = await askUntilValid(prompt, `${question} ${choices.join(', ')}`, choices[0] as string, (given) =>
    meant(given) ? undefined : 'is none of them',
  )
  return meant(answer) as T
}

/** Asks again, and says why, until nothing is wrong with the answer. It may be empty where there is no fallback. */
async function askUntilValid(
  prompt: Prompt,
  question: string,
  fallback: string,
  problemOf: (answer: string) => string | undefined,
): Promise<string> {
  let why = ''
  for (;;) {
    const answer = await ask(prompt, `${why}${question}`, fallback)
    const problem = answer === '' ? undefined : problemOf(answer)
    if (problem === undefined) return answer
    why = `"${answer}" ${problem}. `
  }
}
