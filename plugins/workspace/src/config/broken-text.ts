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

/** A masked place: its key, and its line as it is shown, by both of which it is found again. */
interface Mask {
  readonly key: string
  readonly line: string
}

/** A masked place, and what its mask stands for. */
interface Secret extends Mask {
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
 * Returns `fresh` with each mask replaced by what it stands for in a text that cannot be parsed. Lines that are as
 * before keep their secrets. Of the others, those of a key have theirs in their order.
 *
 * @throws WireError `unsupported` where the others of a key are not as many as before
 */
export function unmaskBroken(fresh: string, broken: string, schemas: SchemasByPath, redact: Redact): string {
  const lines = fresh.split('\n')
  const masks = lines.flatMap((line): Mask[] =>
    [...line.matchAll(MASKED)].map(({ groups }) => ({ key: groups?.['key'] ?? '', line: line.trim() })),
  )
  const found = pair(masks, mask(broken, schemas, redact).secrets)
  let at = 0
  return lines
    .map((line, index) => {
      const restored = line.replace(MASKED, (...match) => {
        const secret = found.get(masks[at++] as Mask)
        if (!secret) throw cannotRestore(index)
        return `${(match.at(-1) as Groups)['start'] ?? ''}${secret.value}`
      })
      if (restored.includes(SECRET_MASK)) throw cannotRestore(index)
      return restored
    })
    .join('\n')
}

/** Finds the secrets of masks. A secret that is left of several could be any of them, and is not found. */
function pair(masks: readonly Mask[], secrets: readonly Secret[]): ReadonlyMap<Mask, Secret> {
  const found = new Map<Mask, Secret>()
  for (const by of ['line', 'key'] as const) {
    const taken = new Set(found.values())
    const openMasks = masks.filter((one) => !found.has(one))
    const openSecrets = secrets.filter((one) => !taken.has(one))
    for (const name of new Set(openMasks.map((one) => one[by]))) {
      const ofName = openMasks.filter((one) => one[by] === name)
      const known = openSecrets.filter((one) => one[by] === name)
      if (known.length === ofName.length) ofName.forEach((one, i) => found.set(one, known[i] as Secret))
    }
  }
  return found
}

type Groups = Readonly<Record<string, string | undefined>>

const cannotRestore = (index: number): WireError =>
  new WireError('unsupported', `line ${index + 1}: the masked secret cannot be restored here; write it once more`)

/** Returns the text with masks, and what they stand for, in their order. */
function mask(text: string, schemas: SchemasByPath, redact: Redact): { shown: string; secrets: Secret[] } {
  const isSecret = secretNames(schemas)
  const secrets: Secret[] = []
  /** Indentation of the secret key that deeper lines belong to. */
  let secretAt: number | undefined
  const shown = text.split('\n').map((line) => {
    const indent = line.search(/\S/)
    if (indent === -1) return line
    const isWithin = secretAt !== undefined && indent > secretAt
    if (!isWithin) secretAt = secretIndent(line, isSecret)
    const known = isWithin ? maskAll(line, indent) : maskLine(line, isSecret)
    const masked = redact(known.shown) === known.shown ? known : maskAll(line, indent)
    secrets.push(...masked.hidden.map((one) => ({ ...one, line: masked.shown.trim() })))
    return masked.shown
  })
  return { shown: shown.join('\n'), secrets }
}

type IsSecret = (key: string) => boolean

/** A line with masks, and what they stand for. */
interface MaskedLine {
  readonly shown: string
  readonly hidden: readonly Omit<Secret, 'line'>[]
}

function secretIndent(line: string, isSecret: IsSecret): number | undefined {
  const { head = '', key = '' } = ENTRY.exec(line)?.groups ?? {}
  return isSecret(key) ? head.length : undefined
}

const maskAll = (line: string, indent: number): MaskedLine => hide(line.slice(0, indent), '', line.slice(indent))

function hide(start: string, key: string, value: string): MaskedLine {
  // A carriage return is no part of a secret.
  const end = value.endsWith('\r') ? '\r' : ''
  return { shown: `${start}${MASK}${end}`, hidden: [{ key, value: value.slice(0, value.length - end.length) }] }
}

/** Masks the value of a secret key, or those in braces. */
function maskLine(line: string, isSecret: IsSecret): MaskedLine {
  const { head = '', quote = '', key = '', colon = '', value = '' } = ENTRY.exec(line)?.groups ?? {}
  const isOpen = /^(?:#|$)/.test(value) || isReference(value.trim())
  if (isSecret(key) && !isOpen) return hide(`${head}${quote}${key}${quote}${colon}`, key, value)
  const hidden: MaskedLine['hidden'][number][] = []
  const shown = line.replace(INNER, (...match) => {
    const { start = '', key: name = '', value: inner = '' } = match.at(-1) as Groups
    if (!isSecret(name) || isReference(inner.trim())) return match[0] as string
    const masked = hide(start, name, inner)
    hidden.push(...masked.hidden)
    return masked.shown
  })
  return { shown, hidden }
}
