// Secrets of a text that is not valid YAML, which only its lines show.
import { SECRET_MASK, WireError } from '@mynah/contract'
import { isReference, secretNames, type SchemasByPath } from './secrets.js'

const MASK = `"${SECRET_MASK}"`
/** A key, after the marks of lists, and what follows it. The colon may be what is missing. */
const ENTRY = /^(?<head>[\s-]*)(?<quote>["']?)(?<key>[\w$][\w.$-]*)\k<quote>(?<colon>[\s:]*)(?<value>(?:[^\s:].*)?)$/s
const PLAIN = /(?:\$\{[^{}]*\}|[^\s,{}[\]"'])(?:\$\{[^{}]*\}|[^,{}[\]])*/
/** A key of a mapping in braces, and its value. */
const INNER = new RegExp(
  `(?<start>(?<![\\w$-])(?<key>[\\w$-]+)["']?\\s*:\\s*)(?<value>"(?:[^"\\\\]|\\\\.)*"|'[^']*'|${PLAIN.source})`,
  'g',
)
/** A mask, and the key before it. */
const MASKED = new RegExp(`(?<start>(?:(?<![\\w.$-])(?<key>[\\w$][\\w.$-]*)["']?[\\s:]*)?)${MASK}`, 'g')

interface Secret {
  readonly key: string
  readonly value: string
}

type Redact = (text: string) => string

/**
 * Masks the secrets of a text that cannot be parsed. Lines that belong to a secret by their indentation, and lines that
 * `redact` changes, count as secrets.
 *
 * @param redact replaces the known secrets of the host
 */
export const maskBroken = (text: string, schemas: SchemasByPath, redact: Redact): string =>
  mask(text, schemas, redact).shown

/**
 * Returns `fresh` with each mask replaced by what it stands for in a text that cannot be parsed: those of a key in
 * their order.
 *
 * @throws WireError `unsupported` where the secrets of a key are not as many as before
 */
export function unmaskBroken(fresh: string, broken: string, schemas: SchemasByPath, redact: Redact): string {
  const { secrets } = mask(broken, schemas, redact)
  const keys = [...fresh.matchAll(MASKED)].map(({ groups }) => groups?.['key'] ?? '')
  const values = new Map(
    // One that is left of several could be any of them.
    [...new Set(keys)].map((name) => {
      const known = secrets.filter(({ key }) => key === name)
      return [name, known.length === keys.filter((key) => key === name).length ? known : []]
    }),
  )
  return fresh
    .split('\n')
    .map((line, index) => {
      const restored = line.replace(MASKED, (...match) => {
        const { start = '', key = '' } = match.at(-1) as Groups
        const secret = values.get(key)?.shift()
        if (!secret) throw cannotRestore(index)
        return `${start}${secret.value}`
      })
      if (restored.includes(SECRET_MASK)) throw cannotRestore(index)
      return restored
    })
    .join('\n')
}

type Groups = Readonly<Record<string, string | undefined>>

const cannotRestore = (index: number): WireError =>
  new WireError('unsupported', `line ${index + 1}: the masked secret cannot be restored here; write it once more`)

/** Returns the text with masks, and what they stand for, in their order. */
function mask(text: string, schemas: SchemasByPath, redact: Redact): { shown: string; secrets: Secret[] } {
  const isSecret = secretNames(schemas)
  const secrets: Secret[] = []
  const hide = (start: string, key: string, value: string): string => {
    // A carriage return is no part of a secret.
    const end = value.endsWith('\r') ? '\r' : ''
    secrets.push({ key, value: value.slice(0, value.length - end.length) })
    return `${start}${MASK}${end}`
  }
  const inner = (line: string): string =>
    line.replace(INNER, (...match) => {
      const [whole, groups] = [match[0] as string, match.at(-1) as Groups]
      const { start = '', key = '', value = '' } = groups
      return isSecret(key) && !isReference(value.trim()) ? hide(start, key, value) : whole
    })
  /** Indentation of the secret key that deeper lines belong to. */
  let secretAt: number | undefined
  const shown = text.split('\n').map((line) => {
    const indent = line.search(/\S/)
    if (indent === -1) return line
    const whole = (): string => hide(line.slice(0, indent), '', line.slice(indent))
    if (secretAt !== undefined && indent > secretAt) return whole()
    secretAt = undefined
    const { head = '', quote = '', key = '', colon = '', value = '' } = ENTRY.exec(line)?.groups ?? {}
    const isOpen = /^(?:#|$)/.test(value)
    if (isSecret(key)) {
      secretAt = head.length
      if (!isOpen && !isReference(value.trim())) return hide(`${head}${quote}${key}${quote}${colon}`, key, value)
    }
    const before = secrets.length
    const masked = inner(line)
    if (redact(masked) === masked) return masked
    secrets.length = before
    return whole()
  })
  return { shown: shown.join('\n'), secrets }
}
