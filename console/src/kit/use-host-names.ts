import { useCatalogue } from '../app/catalogue.js'
import { host } from '../app/host.js'
import { useResource } from '../lib/use-resource.js'

const NONE: readonly string[] = []

/** Returns the names of the hosts that share a database, sorted; none where the host is alone. */
export function useHostNames(): readonly string[] {
  const { data = NONE } = useResource<readonly string[]>(
    useCatalogue().has('cluster:hosts') ? 'cluster:hosts names' : 'absent hosts',
    async (signal) =>
      [...new Set((await host().rpc('cluster:hosts', {}, { signal })).hosts.map(({ name }) => name))].sort(),
  )
  return data.length > 1 ? data : NONE
}
