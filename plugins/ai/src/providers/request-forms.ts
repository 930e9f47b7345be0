// Forms of a chat completion that a server refuses: a field that it does not know, or roles that do not take turns. A
// refusal names what it is about, in words of any kind.
import { isRecord } from '@mynah/contract'
import { ESSENTIAL_FIELDS } from '../config.js'
import { alternating, isAboutOrder, isAboutSystem, messagesOf, withoutSystem, type Fields } from './alternating.js'
import { refusalOf, type Refusal } from './refusal.js'

/** Messages whose roles take turns, as some servers want them. */
const ALTERNATE_ROLES = 'alternate_roles'
/** Instructions in a message of their own. */
const SYSTEM = 'system'
/** Instructions in the role `developer`. */
const DEVELOPER = 'developer'
/** Schemas that must be followed exactly. */
const STRICT = 'strict'
/** Fields by the name that a server may refuse, with the one that it takes in its place. */
const RENAMED: Readonly<Record<string, string>> = {
  max_completion_tokens: 'max_tokens',
  max_tokens: 'max_completion_tokens',
}

/** Words of a refusal of the value that a field has: another one may be taken. */
const VALUE_WORDS =
  /\b(?:between|at most|at least|less than|greater than|maximum|minimum|range|too \w{1,8}|one of|supported values)\b/i

/** Returns a request, as JSON, without the forms. */
export function withoutForms(body: string, forms: ReadonlySet<string>): string {
  let made = JSON.parse(body) as Fields
  for (const form of forms) {
    if (form === DEVELOPER) made['messages'] = messagesOf(made).map(asSystem)
    else if (form === STRICT) made = withoutStrict(made)
    else if (form !== SYSTEM && form !== ALTERNATE_ROLES && Object.hasOwn(made, form)) {
      const other = RENAMED[form]
      if (other !== undefined && !forms.has(other) && !(other in made)) made[other] = made[form]
      delete made[form]
    }
  }
  // After the roles have their names.
  if (forms.has(SYSTEM)) made['messages'] = withoutSystem(messagesOf(made))
  else if (forms.has(ALTERNATE_ROLES)) made['messages'] = alternating(messagesOf(made))
  return JSON.stringify(made)
}

/**
 * Returns the form of a request that a refusal names, or `undefined`: then nothing says what to ask without.
 *
 * @param said the body of the refusal
 * @param request the body of the request, as JSON
 */
export function refusedForm(said: string, status: number, request: string): string | undefined {
  const body = JSON.parse(request) as Fields
  const messages = messagesOf(body)
  const refusal = refusalOf(said, messages)
  if (!refusal) return undefined
  // Templates of chats, which want roles in turn, fail within some servers.
  return (status < 500 ? namedForm(refusal, body, messages) : undefined) ?? wantedRoles(refusal, messages)
}

function namedForm(refusal: Refusal, body: Fields, messages: readonly Fields[]): string | undefined {
  const { path, words } = refusal
  const isDeveloper = (message: Fields | undefined): boolean => message?.['role'] === DEVELOPER
  if (/developer/i.test(words) && messages.some(isDeveloper)) return DEVELOPER
  if (path.at(-1) === 'role' && isDeveloper(messages[Number(path.at(-2))])) return DEVELOPER
  if ((path.includes(STRICT) || /\bstrict\b/i.test(words)) && differs(withoutStrict(body), body)) return STRICT
  return namedField(refusal, body)
}

function wantedRoles({ words }: Refusal, messages: readonly Fields[]): string | undefined {
  if (isAboutSystem(words) && messages.some(({ role }) => role === 'system')) return SYSTEM
  if (isAboutOrder(words) && differs(alternating(messages), messages)) return ALTERNATE_ROLES
  // Some list the roles that there are.
  return /\broles?\b/i.test(words) && messages.some(({ role }) => role === DEVELOPER) ? DEVELOPER : undefined
}

/** Returns the field of a request that a refusal names. The place that a structured refusal gives decides. */
function namedField({ path, words }: Refusal, body: Fields): string | undefined {
  const fields = Object.keys(body)
  const place = path.find((part) => fields.includes(part))
  if (place !== undefined)
    return ESSENTIAL_FIELDS.includes(place) || isAboutValue(place, body, words) ? undefined : place
  const isMeant = (name: string): boolean => path.includes(name) || isNamed(name, words)
  const optional = fields.filter((field) => !ESSENTIAL_FIELDS.includes(field) && !isAboutValue(field, body, words))
  return optional.find(isMeant) ?? optional.find((field) => partsOf(body[field]).some(isMeant))
}

/** Returns whether a refusal is about the value of a field. A limit of tokens can be left out whatever it is. */
const isAboutValue = (field: string, body: Fields, words: string): boolean =>
  ['number', 'string'].includes(typeof body[field]) && !Object.hasOwn(RENAMED, field) && VALUE_WORDS.test(words)

/** Returns the names within a field that are no ordinary words. */
const partsOf = (value: unknown): string[] =>
  isRecord(value) ? Object.keys(value).filter((name) => name.includes('_')) : []

/** Returns whether a text names a field. One that is also an ordinary word is named in quotes, or as a field. */
function isNamed(field: string, text: string): boolean {
  if (!/^\w{1,64}$/.test(field)) return false
  const name = field.replaceAll('_', '[_ -]?')
  if (field.includes('_')) return new RegExp(`(?<!\\w)${name}(?!\\w)`, 'i').test(text)
  return new RegExp(
    `["'\`]${field}["'\`]|(?:field|parameter|argument|param|option|property|key|supplied)s?:? ${field}(?!\\w)|` +
      `(?:^|[.;:\\n] ?)${field}(?::| is (?:not|un))`,
    'i',
  ).test(text)
}

const differs = (first: unknown, second: unknown): boolean => JSON.stringify(first) !== JSON.stringify(second)

const asSystem = (message: Fields): Fields => (message['role'] === DEVELOPER ? { ...message, role: 'system' } : message)

function withoutStrict(body: Fields): Fields {
  const made = { ...body }
  if (Array.isArray(body['tools']))
    made['tools'] = body['tools'].map((tool: unknown) =>
      isRecord(tool) && isRecord(tool['function']) ? { ...tool, function: without(tool['function'], STRICT) } : tool,
    )
  const { response_format: format } = body
  if (isRecord(format) && isRecord(format['json_schema']))
    made['response_format'] = { ...format, json_schema: without(format['json_schema'], STRICT) }
  return made
}

function without(fields: Fields, name: string): Fields {
  const { [name]: _, ...rest } = fields
  return rest
}
