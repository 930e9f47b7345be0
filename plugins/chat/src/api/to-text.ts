/**
 * Returns strings and numbers as text, and other values as an empty text. `String()` would call `toString` of
 * foreign objects.
 */
export const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
