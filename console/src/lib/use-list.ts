import { useEffect } from 'preact/hooks'
import { useDebouncedInput } from '../kit/use-debounced-input.js'
import { parsePageNumber, type ListPage } from './paginate.js'
import type { Load, Snapshot } from './resource-cache.js'
import { useQuery, type Query } from './router.js'
import { useResource } from './use-resource.js'

type ListQuery = Record<string, string> & {
  readonly filter: string
  readonly page: string
  readonly sort: string
}

export interface ListOptions<Data, Row> {
  /** The call, as `GET /plugins`. Together with the query it is the key of the resource. */
  readonly key: string
  readonly load: (signal: AbortSignal, query: ListQuery) => Promise<Data>
  /** The page that is shown. */
  readonly page: (data: Data, query: ListQuery) => ListPage<Row>
  /** Further values of the address and their defaults. */
  readonly defaults?: Readonly<Record<string, string>>
  /** The host filters and pages: each query is a resource of its own. */
  readonly remote?: boolean
}

export interface List<Row> extends Omit<Snapshot<unknown>, 'data'>, ListPage<Row> {
  /** Whether the first answer has arrived. */
  readonly known: boolean
  readonly query: Query<ListQuery>
  /** Text of the filter field, ahead of the address while typing. */
  readonly typed: string
  readonly type: (text: string) => void
  readonly reload: () => void
}

const NOTHING: ListPage<never> = { rows: [], total: 0, page: 1, totalPages: 0 }

export function useList<Data, Row>({
  key,
  load,
  page,
  defaults = {},
  remote = false,
}: ListOptions<Data, Row>): List<Row> {
  const query = useQuery<ListQuery>({ ...defaults, filter: '', page: '1', sort: defaults['sort'] ?? '' })
  const { values } = query
  const [typed, setTyped] = useDebouncedInput(values.filter, (filter) =>
    query.set({ filter, page: '1' }, { replace: true }),
  )
  const name = remote ? `${key} ${JSON.stringify(values)}` : key
  const loader: Load<Data> = (signal) => load(signal, values)
  const { data, ...snapshot } = useResource<Data>(name, loader, key)
  const shown = data === undefined ? NOTHING : page(data, values)
  const wanted = parsePageNumber(values.page)
  const beyond = data !== undefined && !snapshot.loading && shown.totalPages > 0 && wanted > shown.totalPages
  useEffect(() => {
    if (beyond) query.set({ page: String(shown.totalPages) }, { replace: true })
  }, [beyond])
  return { ...snapshot, ...shown, known: data !== undefined, query, typed, type: setTyped }
}
