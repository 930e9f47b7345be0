// Finds credentials in the text of a packed file.

/** Credentials that their issuers mark, and the heads of private keys. */
const MARKED = new RegExp(
  [
    /\bgh[pousr]_\w{20,255}/,
    /\bgithub_pat_\w{20,255}/,
    /\bglpat-[\w-]{16,64}/,
    /\bnpm_[A-Za-z0-9]{30,100}/,
    /\bxox[abprs]-[\w-]{10,200}/,
    /\bsk-[\w-]{20,200}/,
    /\b[sr]k_live_\w{16,200}/,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
    /\bAIza[\w-]{30,60}/,
    /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
/** Credentials as headers and addresses carry them; these are masked in logs too. */
const CARRIED = new RegExp(
  [
    /\bBearer\s{1,4}([\w.~+/=-]{16,500})/,
    /(?<=\w):\/\/[^\s/:@]{1,100}:([^\s/@]{6,200})@/,
    /[?&](?:token|access_token|api_key|apikey|secret|password)=([^\s&#"'`]{8,500})/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
/** Words of examples, and parts that a program fills in. */
const EXAMPLE = /example|placeholder|secret|password|token|your|change|[<>{}$*•…%]|(.)\1{4}/i
/** Shorter values are ordinary words. */
const MIN_SECRET = 6

/** A credential in a text. */
export interface FoundSecret {
  readonly line: number
  /** The kind of credential, never the credential itself. */
  readonly kind: 'credential' | 'private value' | 'possible credential'
}

/**
 * Returns the first credential in a text.
 *
 * @param own values of the project's `.env` that must stay private
 */
export function secretIn(text: string, own: readonly string[]): FoundSecret | undefined {
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length
  const marked = MARKED.exec(text)
  if (marked) return { line: lineAt(marked.index), kind: 'credential' }
  for (const value of own) {
    const at = value.length < MIN_SECRET ? -1 : text.indexOf(value)
    if (at >= 0) return { line: lineAt(at), kind: 'private value' }
  }
  for (const found of text.matchAll(CARRIED)) {
    const value = found[1] ?? found[2] ?? found[3] ?? ''
    if (!EXAMPLE.test(value)) return { line: lineAt(found.index), kind: 'possible credential' }
  }
  return undefined
}
