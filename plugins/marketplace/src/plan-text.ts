import type { PackageChange, PackagePlan } from '@mynah/contract/types'

/** Further changes are counted. */
const MAX_LISTED = 20
/** Characters of what the authors of a package say. */
const MAX_WORDS = 400

/**
 * Returns a plan as the owner reads it before it is approved. The same plan has the same text, to which the approval is
 * bound: where the registry has changed meanwhile, the owner is asked again.
 */
export function planText({ changes, contributes, advisories, takesEffect, reasons }: PackagePlan): string {
  const more = changes.length - MAX_LISTED
  return [
    ...changes.slice(0, MAX_LISTED).map(changeText),
    ...(more > 0 ? [`and ${more} more ${more > 1 ? 'packages' : 'package'}`] : []),
    ...Object.entries(contributes).map(
      ([name, own]) => `${name} says that it contributes ${wordsOf(JSON.stringify(own))}`,
    ),
    `advisories ${advisories}`,
    takesEffect === 'live' ? 'takes effect at once' : `the host starts again: ${reasons[0] ?? ''}`,
  ].join('\n')
}

/** Returns one line without characters that hide or forge others. */
const wordsOf = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_WORDS)

/** Returns the packages that a plan was asked for, with their versions. */
export const askedIn = ({ changes }: PackagePlan): string =>
  changes
    .filter(({ asked }) => asked)
    .map(({ name, from, to }) => `${name} ${to ?? from ?? ''}`)
    .join(', ')

function changeText({ name, from, to, licence, bytes, signature, deprecated, advisories = [] }: PackageChange): string {
  const facts = [
    licence ? `licence ${wordsOf(licence)}` : '',
    bytes === undefined ? '' : `${Math.ceil(bytes / 1000)} kB`,
    signature ? `signature ${wordsOf(signature)}` : '',
    deprecated ? `deprecated: ${wordsOf(deprecated)}` : '',
    ...advisories.map(({ severity, title }) => `advisory (${wordsOf(severity)}): ${wordsOf(title)}`),
  ].filter(Boolean)
  return [headOf(name, from, to), ...facts].join(', ')
}

function headOf(name: string, from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `add ${name} ${to ?? ''}`
  return to === undefined ? `remove ${name} ${from}` : `update ${name} ${from} → ${to}`
}
