/**
 * Returns how well `text` matches `query`, or undefined if a word is missing. Matches at the start of a word score
 * higher.
 */
function matchScore(text: string, query: string): number | undefined {
  const body = text.toLowerCase()
  let score = 0
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = body.indexOf(word)
    if (at < 0) return undefined
    if (at === 0) score += 3
    else score += /[\s:/_-]/.test(body[at - 1] ?? '') ? 2 : 1
  }
  return score
}

/** Returns matching items, best first. Equal scores keep their order. */
export function search<T>(items: readonly T[], query: string, text: (item: T) => string): T[] {
  return items
    .map((item, index) => ({ item, index, score: matchScore(text(item), query) }))
    .filter((found): found is { item: T; index: number; score: number } => found.score !== undefined)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ item }) => item)
}
