/** Returns the path to a part of a schema. */
export const join = (path: string, part: string): string => (path ? `${path}.${part}` : part)
