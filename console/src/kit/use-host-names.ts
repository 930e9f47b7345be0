import { useCatalogue } from '../app/catalogue.js'
import { host } from '../app/host.js'
import { useResource } from '../lib/use-resource.js'

const NONE: readonly string[] = []

async function load(signal: AbortSignal): Promise<readonly string[]> {
  const { hosts } = await host().rpc('cluster:hosts', {}, { signal })
  return [...new Set(hosts.map(({ name }) => name))].sort()
}

/** Returns the names of the hosts that share a database, sorted; none where the host is alone. */
export function useHostNames(): readonly string[] {
  const isServed = useCatalogue().has('cluster:hosts')
  const { data = NONE } = useResource<readonly string[]>(
    isServed ? 'cluster:hosts names' : 'absent hosts',
    isServed ? load : () => Promise.resolve(NONE),
  )
  return data.length > 1 ? data : NONE
}
