// Reading text from what somebody else wrote: only strings and numbers are text, all else is nothing.

/** The value as text; `String()` would run, and fail on, what a stranger's object calls `toString`. */
export const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
