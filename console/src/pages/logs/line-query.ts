/** Which lines are asked for. Empty texts ask for all. */
export interface LineQuery {
  /** Name of a plugin. */
  readonly name: string
  /** Name of a host. */
  readonly host: string
  /** Part of the message. */
  readonly search: string
}

/** Returns the fields of a request that a query names. */
export const filterOf = ({
  name,
  host,
  search,
}: LineQuery): { readonly name?: string; readonly host?: string; readonly search?: string } => ({
  ...(name ? { name } : {}),
  ...(host ? { host } : {}),
  ...(search ? { search } : {}),
})

/** Returns the query for the key of a resource. */
export const keyOf = (query: LineQuery): string => JSON.stringify(filterOf(query))

export const isNarrowed = ({ name, host, search }: LineQuery): boolean => name !== '' || host !== '' || search !== ''
