import { domainOf } from './addresses.js'

/** Longest header that is read. */
const MAX_HEADER = 8_192

/** Removes comments, which anybody can fill. */
function withoutComments(text: string): string {
  let depth = 0
  let kept = ''
  for (const character of text) {
    if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += character
  }
  return kept
}

/** Whether a signature of `signer` speaks for `domain`: it is the same, or the domain above it. */
const speaksFor = (signer: string, domain: string): boolean =>
  signer === domain || (signer.includes('.') && domain.endsWith(`.${signer}`))

function passesFor(results: string, domain: string): boolean {
  return results.split(';').some((part) => {
    const [method = '', ...properties] = part.trim().toLowerCase().split(/\s+/)
    if (method !== 'dkim=pass') return false
    const signers = properties.flatMap((property) => {
      const value = /^header\.[di]=/.test(property) ? property.slice('header.d='.length) : ''
      return value === '' ? [] : [domainOf(value)]
    })
    return signers.some((signer) => speaksFor(signer, domain))
  })
}

/**
 * Returns whether the receiving server has verified the domain of a sender by DKIM. Only the header that it has added
 * itself counts, which is the first with its name: senders can write any others below it.
 *
 * @param headers the values of all headers `Authentication-Results`, the first of the mail first
 * @param server its name in these headers
 */
export function isVerified(headers: readonly string[], server: string | undefined, from: string): boolean {
  if (server === undefined) return false
  for (const header of headers) {
    const clean = withoutComments(header.slice(0, MAX_HEADER))
    const end = clean.indexOf(';')
    const name = (end < 0 ? clean : clean.slice(0, end)).trim().split(/\s+/)[0] ?? ''
    if (name.toLowerCase() !== server.toLowerCase()) continue
    return end >= 0 && passesFor(clean.slice(end + 1), domainOf(from))
  }
  return false
}
