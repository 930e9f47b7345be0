/** Pairs that a mapping treats as the same character besides the letters of ASCII. */
const PAIRS: Readonly<Record<string, string>> = {
  ascii: '',
  rfc1459: '[{]}\\|^~',
  'strict-rfc1459': '[{]}\\|',
  // The same mapping under the name that some servers give it.
  'rfc1459-strict': '[{]}\\|',
}

/**
 * Returns the characters of names that a `CASEMAPPING` folds, each with its lower case. A mapping that is not known
 * folds ASCII letters only: two names that it keeps apart must not count as one, since one may be the name of an owner.
 */
function foldsOf(mapping: unknown): ReadonlyMap<string, string> {
  const folds = new Map<string, string>()
  for (let code = 65; code <= 90; code++) folds.set(String.fromCharCode(code), String.fromCharCode(code + 32))
  const name = String(mapping).toLowerCase()
  const pairs = Object.hasOwn(PAIRS, name) ? (PAIRS[name] as string) : ''
  for (let at = 0; at < pairs.length; at += 2) folds.set(pairs[at] as string, pairs[at + 1] as string)
  return folds
}

let last: { readonly mapping: unknown; readonly folds: ReadonlyMap<string, string> } | undefined

/** Folds the case of a name as a server with this `CASEMAPPING` does. */
export function lowerCase(name: string, mapping: unknown): string {
  if (last?.mapping !== mapping) last = { mapping, folds: foldsOf(mapping) }
  const { folds } = last as { folds: ReadonlyMap<string, string> }
  let result = ''
  for (const character of name) result += folds.get(character) ?? character
  return result
}

/** Returns the source of a regular expression for the spellings of a name. */
export function spellingsOf(name: string, mapping: unknown): string {
  const folds = foldsOf(mapping)
  return Array.from(lowerCase(name, mapping), (lower) => {
    const all = [lower, ...Array.from(folds).flatMap(([upper, folded]) => (folded === lower ? [upper] : []))]
    return all.length === 1 ? escape(lower) : `[${all.map(escape).join('')}]`
  }).join('')
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns how names are written in the configuration of an endpoint: its channels, and whom its rules name. */
export function configuredNames(config: ConfiguredNames): readonly string[] {
  const { adapter = '', id = '', master, trusted, access, channels = [] } = config
  const start = `${adapter}|${id}|`
  return [
    ...[master ?? [], trusted ?? []].flat(),
    ...(access?.list ?? []).flatMap((rule) => (rule.startsWith(start) ? [rule.slice(start.length)] : [])),
    ...channels.map((channel) => channel.split(' ')[0] ?? ''),
  ]
}

/** The options of an endpoint that have names. */
export interface ConfiguredNames {
  readonly adapter?: string
  readonly id?: string
  readonly master?: string | readonly string[]
  readonly trusted?: string | readonly string[]
  readonly access?: { readonly list?: readonly string[] }
  readonly channels?: readonly string[]
}
