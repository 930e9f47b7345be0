// Asks the registry about size, signature, provenance and advisories of packages.
import { createPublicKey, createVerify } from 'node:crypto'
import { isRecord } from '@mynah/contract'
import { satisfies } from 'semver'
import type { PackageChange } from '@mynah/contract/types'

const PATIENCE_MS = 10_000
const MAX_ANSWER = 8 * 1024 * 1024
const MAX_ADVISORIES = 20

/** The part of the manifest of a version that is used. */
export interface Manifest {
  readonly name?: unknown
  readonly version?: unknown
  readonly license?: unknown
  readonly deprecated?: unknown
  readonly mynah?: unknown
  readonly dist?: unknown
}

/** Returns the address of the registry from that of a tarball, or `undefined` for one that has another form. */
export function registryOf({ name, dist }: Manifest): string | undefined {
  const tarball = isRecord(dist) ? dist['tarball'] : undefined
  if (typeof tarball !== 'string' || typeof name !== 'string' || !URL.canParse(tarball)) return undefined
  const url = new URL(tarball)
  const end = decodeURIComponent(url.pathname).indexOf(`/${name}/-/`)
  return end < 0 || !/^https?:$/.test(url.protocol) ? undefined : `${url.origin}${url.pathname.slice(0, end)}`
}

/** Returns whether the registry has signed the bytes of a version. */
export async function signatureOf(manifest: Manifest, signal: AbortSignal): Promise<string> {
  const { name, version } = manifest
  const dist = isRecord(manifest.dist) ? manifest.dist : {}
  const signatures = Array.isArray(dist['signatures']) ? dist['signatures'].filter(isRecord) : []
  const registry = registryOf(manifest)
  if (registry === undefined) return 'not checked: the registry is not known'
  if (signatures.length === 0) return 'not checked: the registry has not signed it'
  const answer = await ask(`${registry}/-/npm/v1/keys`, { signal })
  if (typeof answer === 'string') return `not checked: ${answer}`
  const keys =
    isRecord(answer.value) && Array.isArray(answer.value['keys']) ? answer.value['keys'].filter(isRecord) : []
  const text = `${String(name)}@${String(version)}:${String(dist['integrity'])}`
  for (const { keyid, sig } of signatures) {
    const key = keys.find((one) => one['keyid'] === keyid)
    if (key)
      return isSigned(text, String(sig), String(key['key']))
        ? 'verified'
        : 'bad: the signature is not that of the registry'
  }
  return 'not checked: the registry does not publish the key'
}

function isSigned(text: string, signature: string, key: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return createVerify('SHA256').update(text).verify(publicKey, signature, 'base64')
  } catch {
    // Neither a key nor a signature.
    return false
  }
}

/** Returns whether a version names a provenance. */
export function provenanceOf({ dist }: Manifest): 'attested' | 'none' {
  return isRecord(dist) && isRecord(dist['attestations']) ? 'attested' : 'none'
}

type Advisories = NonNullable<PackageChange['advisories']>

/** Returns the known advisories by `name@version`, or the reason why they are not known. */
export async function advisoriesOf(
  registry: string | undefined,
  versions: ReadonlyMap<string, readonly string[]>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Advisories> | string> {
  if (registry === undefined) return 'the registry is not known'
  const answer = await ask(`${registry}/-/npm/v1/security/advisories/bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(versions)),
    signal,
  })
  if (typeof answer === 'string') return answer
  const found = new Map<string, Advisories>()
  for (const [name, list] of versions)
    for (const version of list) found.set(`${name}@${version}`, of(answer.value, name, version))
  return found
}

function of(answer: unknown, name: string, version: string): Advisories {
  const list = isRecord(answer) && Object.hasOwn(answer, name) ? answer[name] : []
  return (Array.isArray(list) ? list : [])
    .filter(isRecord)
    .filter(({ vulnerable_versions: range }) => typeof range === 'string' && satisfies(version, range))
    .slice(0, MAX_ADVISORIES)
    .map(({ severity, title, url }) => ({
      severity: String(severity),
      title: String(title).slice(0, 300),
      ...(typeof url === 'string' && /^https?:\/\//.test(url) ? { url } : {}),
    }))
}

/** Returns the answer as JSON, or the reason why there is none. */
async function ask(url: string, init: RequestInit & { signal: AbortSignal }): Promise<{ value: unknown } | string> {
  try {
    const response = await fetch(url, {
      ...init,
      signal: AbortSignal.any([init.signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      return `the registry answers with status ${response.status}`
    }
    const text = await response.text()
    return text.length > MAX_ANSWER ? 'the answer is too large' : { value: JSON.parse(text) as unknown }
  } catch (error) {
    init.signal.throwIfAborted()
    return error instanceof SyntaxError ? 'the registry does not know it' : 'the registry does not answer'
  }
}
