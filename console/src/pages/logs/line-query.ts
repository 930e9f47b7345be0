/** Which lines are asked for. Empty texts ask for all. */
export interface LineQuery {
  /** Name of a plugin. */
  readonly name: string
  /** Part of the message. */
  readonly search: string
}

/** Returns the fields of a request that a query names. */
export const filterOf = ({ name, search }: LineQuery): { readonly name?: string; readonly search?: string } => ({
  ...(name ? { name } : {}),
  ...(search ? { search } : {}),
})

/** Returns the query for the key of a resource. */
export const keyOf = (query: LineQuery): string => JSON.stringify(filterOf(query))

export const isNarrowed = ({ name, search }: LineQuery): boolean => name !== '' || search !== ''
