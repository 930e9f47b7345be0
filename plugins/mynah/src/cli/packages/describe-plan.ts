import type { PackageChange, PackagePlan } from '@mynah/contract/types'

/** Further changes are counted. */
const MAX_LISTED = 20
/** Lines of the changelog of each package. */
const MAX_CHANGELOG = 40

/** Returns a plan in lines for a terminal. */
export function describePlan({
  changes,
  contributes,
  advisories,
  takesEffect,
  reasons,
  ...plan
}: PackagePlan): string[] {
  const lines = changes.slice(0, MAX_LISTED).flatMap((change) => [`  ${headOf(change)}`, ...aboutOf(change)])
  const more = changes.length - MAX_LISTED
  return [
    ...lines,
    ...(more > 0 ? [`  and ${more} more ${more > 1 ? 'packages' : 'package'}`] : []),
    ...Object.entries(contributes).map(([name, own]) => `  ${name} says that it contributes ${JSON.stringify(own)}`),
    ...(changes.length > 0 ? [`  advisories ${advisories}`, `  ${effectOf(takesEffect, reasons)}`] : []),
    ...plan.refusals.map((why) => `  refused: ${why}`),
    ...(plan.command ? [`  to do it by hand: ${plan.command}`] : []),
  ]
}

const effectOf = (takesEffect: PackagePlan['takesEffect'], [reason]: readonly string[]): string =>
  takesEffect === 'live' ? 'takes effect at once' : `takes effect when the host starts again: ${reason ?? ''}`

function headOf({ name, from, to }: PackageChange): string {
  if (from === undefined) return `add     ${name} ${to as string}`
  return to === undefined ? `remove  ${name} ${from}` : `update  ${name} ${from} → ${to}`
}

function aboutOf(change: PackageChange): string[] {
  const { name, to, licence, bytes, script, deprecated, signature, provenance, advisories = [] } = change
  const facts = [
    licence ? `licence ${licence}` : '',
    bytes === undefined ? '' : `${Math.ceil(bytes / 1000)} kB`,
    signature ? `signature ${signature}` : '',
    provenance ? `provenance ${provenance}` : '',
  ].filter(Boolean)
  return [
    ...(facts.length > 0 ? [facts.join(', ')] : []),
    ...(script ? [`has an install script: --allow-script=${name}@${to as string}`] : []),
    ...changelogOf(change),
    ...(deprecated ? [`deprecated: ${deprecated}`] : []),
    ...advisories.map(({ severity, title }) => `advisory (${severity}): ${title}`),
  ].map((line) => `            ${line}`)
}

function changelogOf({ changelog }: PackageChange): string[] {
  if (!changelog) return []
  if (changelog.text === undefined) return [`changelog: ${changelog.missing ?? ''}`]
  const lines = changelog.text.split('\n')
  const more = lines.length - MAX_CHANGELOG
  return [
    'changelog:',
    ...lines.slice(0, MAX_CHANGELOG).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more ${more > 1 ? 'lines' : 'line'}`] : []),
  ]
}
