// Gets the values of a new account or provider, tries them, and saves them.
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import { fieldsOf, valueOf, type Field, type Json } from './fields.js'
import type { HostClient } from './host-client.js'
import { saveWithSecrets } from './secrets.js'
import { bad, good, progress, say, show, type Prompt } from './terminal.js'

/** The answer of `endpoint:test` and `models:test`. */
interface Tried {
  readonly ok: boolean
  readonly message: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
  readonly missing?: readonly string[]
  readonly tokens?: { readonly input: number; readonly output: number; readonly cost?: number }
}

/** An account or a provider that is added. */
export interface NewItem {
  /** The command that adds it without questions, for hints. */
  readonly command: string
  /** Its name, before the variables of its secrets. */
  readonly owner: string
  readonly schema: Json
  /** Values that are not asked for. */
  readonly fixed: Json
  test(item: Json): Promise<unknown>
  save(item: Json): Promise<unknown>
}

/**
 * Asks for what is missing, tries the item until it works, and saves it.
 *
 * @param given texts by field, from the command line
 * @returns false if the person gave up
 * @throws UserError without a prompt, for missing values or a test that failed
 */
export async function addItem(
  client: HostClient,
  item: NewItem,
  given: ReadonlyMap<string, string>,
  prompt: Prompt | undefined,
): Promise<boolean> {
  const hidden = Object.keys(item.fixed)
  const fields = fieldsOf(item.schema, { all: true, hidden })
  const texts = new Map(given)
  assertKnown(fields, given, item)
  for (;;) {
    if (prompt) await askFor(fieldsOf(item.schema, { hidden }), texts, given, prompt)
    else assertComplete(fields, texts, item)
    const value = valuesOf(fields, texts, item)
    progress('testing')
    const tried = (await item.test(value)) as Tried
    if (tried.ok) {
      show(`  ${good('works')}`)
      say(`  ${tried.message}${costOf(tried)}`)
      for (const what of tried.missing ?? []) say(`  missing: ${what}`)
      await saveWithSecrets(client, { item: value, fields, owner: item.owner }, (saved) => item.save(saved))
      return true
    }
    const why = [tried.message, ...(tried.details ?? []).slice(1).map(({ path, message }) => `${path} ${message}`)]
    if (!prompt)
      throw new UserError(`it does not work: ${why.join('; ')}`, {
        exitCode: EXIT.failure,
        remedy: `Nothing was saved. Correct the values: ${item.command}`,
      })
    show(`  ${bad('does not work')}`)
    for (const line of why) say(`  ${line}`)
    const next = await prompt.choose('Change the answers, save them anyway, or leave it?', ['change', 'save', 'leave'])
    if (next === 'leave') return false
    if (next === 'change') continue
    await saveWithSecrets(client, { item: value, fields, owner: item.owner }, (saved) => item.save(saved))
    return true
  }
}

/** Asks for each field. Earlier answers are the defaults. Values of the command line are not asked for again. */
async function askFor(
  fields: readonly Field[],
  texts: Map<string, string>,
  given: ReadonlyMap<string, string>,
  prompt: Prompt,
): Promise<void> {
  for (const { name, about, required, secret, hint } of fields) {
    if (given.has(name)) continue
    const ask = (): Promise<string> =>
      prompt.ask(`${name}: ${about}${required ? '' : '; Enter for none'}?`, texts.get(name) ?? hint ?? '', secret)
    let answer = await ask()
    while (required && !answer) answer = await ask()
    if (answer && !(answer === hint && !texts.has(name))) texts.set(name, answer)
    else if (!answer) texts.delete(name)
  }
}

function valuesOf(fields: readonly Field[], texts: ReadonlyMap<string, string>, { fixed }: NewItem): Json {
  const typed = fields.flatMap(({ name, schema }) => {
    const text = texts.get(name)
    return text === undefined ? [] : [[name, valueOf(text, schema)] as const]
  })
  return { ...fixed, ...Object.fromEntries(typed) }
}

const usage = (message: string, item: NewItem, example: string): UserError =>
  new UserError(message, { exitCode: EXIT.usage, remedy: `${item.command} ${example}`.trim() })

function assertKnown(fields: readonly Field[], given: ReadonlyMap<string, string>, item: NewItem): void {
  const names = fields.map(({ name }) => name)
  const unknown = Array.from(given.keys()).find((name) => !names.includes(name))
  if (unknown !== undefined) throw usage(`"${unknown}" is no option here; known are ${names.join(', ')}`, item, '')
}

function assertComplete(fields: readonly Field[], texts: ReadonlyMap<string, string>, item: NewItem): void {
  const missing = fields.filter(({ name, required }) => required && !texts.get(name))
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name)
  throw usage(
    `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} missing`,
    item,
    names.map((name) => `${name}=…`).join(' '),
  )
}

function costOf({ tokens }: Tried): string {
  if (!tokens) return ''
  const cost = tokens.cost === undefined ? '' : `, cost ${Number(tokens.cost.toPrecision(2))}`
  return ` (${tokens.input} tokens in, ${tokens.output} out${cost})`
}
