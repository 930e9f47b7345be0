import { parseJson } from './parse-json.js'

/** A host that was used here. */
export interface KnownHost {
  readonly base: string
  readonly label?: string
  readonly colour?: string
}

/** Parses stored hosts. Invalid items are dropped. */
export function parseHosts(text: string | null): KnownHost[] {
  const value = parseJson(text)
  if (!Array.isArray(value)) return []
  return value
    .filter(
      (item): item is KnownHost =>
        typeof item === 'object' && item !== null && typeof (item as KnownHost).base === 'string',
    )
    .map(({ base, label, colour }) => ({
      base,
      ...(typeof label === 'string' && label ? { label: label.slice(0, 40) } : {}),
      ...(typeof colour === 'string' && /^#[0-9a-f]{6}$/.test(colour) ? { colour } : {}),
    }))
    .slice(0, 10)
}

/** Moves a host to the front and merges `change` into it. */
export function rememberHost(hosts: readonly KnownHost[], change: KnownHost): KnownHost[] {
  const former = hosts.find((host) => host.base === change.base)
  return [{ ...former, ...change }, ...hosts.filter((host) => host.base !== change.base)].slice(0, 10)
}
