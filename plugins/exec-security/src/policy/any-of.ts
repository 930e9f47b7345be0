/**
 * Builds the pattern that matches what any of `patterns` matches. All of them must have the flags of the first.
 *
 * Parts stay literals: the check of the time that patterns take reads literals only.
 */
export function anyOf(first: RegExp, ...others: readonly RegExp[]): RegExp {
  return new RegExp([first, ...others].map(({ source }) => `(?:${source})`).join('|'), first.flags)
}
