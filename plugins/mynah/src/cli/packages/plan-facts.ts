import { isRecord, isWireError } from '@mynah/contract'
import { valid } from 'semver'
import { omitUndefined } from '@mynah/kernel/util'
import type { PackageChange, PackagePlan } from '@mynah/contract/types'
import { changelogOf, type Diff } from './changelog.js'
import { advisoriesOf, provenanceOf, registryOf, signatureOf, type Manifest } from './registry-facts.js'

const FIELDS = ['name', 'version', 'license', 'deprecated', 'mynah', 'dist']
/** Each is asked by a process of its own. */
const MAX_ASKED = 8

/** How the registry is asked. */
export interface Ask {
  readonly view: View
  readonly diff: Diff
}

type View = (spec: string, fields: readonly string[]) => Promise<unknown>

/** The answers of the registry about the changes of a plan, and why it must not be applied. */
export interface PlanFacts {
  readonly plan: Pick<PackagePlan, 'changes' | 'contributes' | 'advisories'>
  readonly refusals: readonly string[]
}

/** Asks the registry for what is shown with the changes. An answer that is missing is left out, or says why. */
export async function addFacts(
  changes: readonly PackageChange[],
  { view, diff }: Ask,
  signal: AbortSignal,
): Promise<PlanFacts> {
  const asked = changes.filter((change) => change.asked && change.to !== undefined).slice(0, MAX_ASKED)
  // A changelog takes as long as all the rest, which needs the answer of another process first.
  const [{ manifests, wereAttested, advisories, signatures }, changelogs] = await Promise.all([
    registryFacts(changes, asked, view, signal),
    changelogsOf(asked, diff, signal),
  ])
  const described = changes.map((change): PackageChange => {
    const manifest = manifests.get(change.name)
    const found = typeof advisories === 'string' ? undefined : advisories.get(`${change.name}@${change.to ?? ''}`)
    if (!manifest || !change.asked) return omitUndefined({ ...change, advisories: found })
    return omitUndefined({
      ...change,
      advisories: found,
      bytes: sizeOf(manifest),
      licence: change.licence ?? textOf(manifest.license),
      deprecated: change.deprecated ?? textOf(manifest.deprecated),
      changelog: changelogs.get(change.name),
      signature: signatures.get(change.name),
      provenance: provenanceOf(manifest) === 'none' && wereAttested.has(change.name) ? 'lost' : provenanceOf(manifest),
    })
  })
  return {
    plan: {
      changes: described,
      contributes: contributesOf(manifests),
      advisories: typeof advisories === 'string' ? `not checked: ${advisories}` : 'checked',
    },
    refusals: described
      .filter(({ signature }) => signature?.startsWith('bad'))
      .map(({ name, to, signature }) => `${name} ${to}: ${signature}`),
  }
}

interface RegistryFacts {
  readonly manifests: ReadonlyMap<string, Manifest | undefined>
  /** Names whose installed version had a provenance. */
  readonly wereAttested: ReadonlySet<string>
  readonly advisories: Awaited<ReturnType<typeof advisoriesOf>>
  readonly signatures: ReadonlyMap<string, string>
}

async function registryFacts(
  changes: readonly PackageChange[],
  asked: readonly PackageChange[],
  view: View,
  signal: AbortSignal,
): Promise<RegistryFacts> {
  const pairs = await Promise.all(asked.map(async (change) => [change, await manifestsOf(change, view)] as const))
  const manifests = new Map(
    pairs.map(([{ name, to }, found]) => [name, found.find(({ version }) => version === to)] as const),
  )
  const attested = pairs.filter(([{ from }, found]) =>
    found.some((manifest) => manifest.version === from && provenanceOf(manifest) === 'attested'),
  )
  const registry = Array.from(manifests.values(), (manifest) => manifest && registryOf(manifest)).find(Boolean)
  const [advisories, signatures] = await Promise.all([
    asked.length === 0 ? 'nothing new was asked for' : advisoriesOf(registry, versionsOf(changes), signal),
    signaturesOf(manifests, signal),
  ])
  return { manifests, wereAttested: new Set(attested.map(([{ name }]) => name)), advisories, signatures }
}

/** Returns what the registry says of the new and the installed version, by one process. */
async function manifestsOf({ name, from, to }: PackageChange, view: View): Promise<readonly Manifest[]> {
  const versions = [to, from].filter((version) => version !== undefined && valid(version) !== null)
  // A version that is no number names a folder or an address, which no registry knows.
  if (to === undefined || !versions.includes(to)) return []
  try {
    const found = await view(`${name}@${versions.join(' || ')}`, FIELDS)
    return (Array.isArray(found) ? found : [found]).filter(isRecord)
  } catch (error) {
    // The plan itself is complete: the lockfile has what npm needs.
    if (isWireError(error)) return []
    throw error
  }
}

async function signaturesOf(
  manifests: ReadonlyMap<string, Manifest | undefined>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(
      Array.from(manifests, async ([name, manifest]) => {
        return [
          name,
          manifest ? await signatureOf(manifest, signal) : 'not checked: the registry does not answer',
        ] as const
      }),
    ),
  )
}

async function changelogsOf(
  asked: readonly PackageChange[],
  diff: Diff,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PackageChange['changelog']>> {
  return new Map(
    await Promise.all(asked.map(async (change) => [change.name, await changelogOf(change, diff, signal)] as const)),
  )
}

function versionsOf(changes: readonly PackageChange[]): Map<string, string[]> {
  const versions = new Map<string, string[]>()
  for (const { name, to } of changes) if (to !== undefined) versions.set(name, [...(versions.get(name) ?? []), to])
  return versions
}

function contributesOf(manifests: ReadonlyMap<string, Manifest | undefined>): PackagePlan['contributes'] {
  return Object.fromEntries(
    Array.from(manifests).flatMap(([name, manifest]) => {
      const own = isRecord(manifest?.mynah) ? manifest.mynah['contributes'] : undefined
      return own === undefined || JSON.stringify(own).length > 10_000 ? [] : [[name, own]]
    }),
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

function sizeOf({ dist }: Manifest): number | undefined {
  const size = isRecord(dist) ? dist['unpackedSize'] : undefined
  return Number.isSafeInteger(size) ? (size as number) : undefined
}
