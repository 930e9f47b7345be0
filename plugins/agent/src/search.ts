// Likeness of texts, by BM25 over Latin words and pairs of characters where no spaces stand between words.

/** Words of a text for comparing: Latin words, and pairs of characters where no spaces stand between words. */
export function searchTerms(text: string): string[] {
  const terms: string[] = []
  const sample = text.slice(0, 4_000).toLowerCase()
  for (const word of sample.match(/[a-z0-9_]{2,40}/g) ?? [])
    terms.push(...word.split('_').filter((part) => part.length > 1))
  const letters = Array.from(sample.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/g) ?? [])
  for (const run of letters) {
    if (run.length === 1) terms.push(run)
    for (let at = 0; at + 1 < run.length; at++) terms.push(run.slice(at, at + 2))
  }
  return terms
}

const K1 = 1.2
const B = 0.75

/** Items by how well the terms of their documents fit a text, best first; those that share nothing are left out. Equal ones keep their order. */
export function rankByTerms<T>(items: readonly T[], text: string, documentOf: (item: T) => readonly string[]): T[] {
  const wanted = new Set(searchTerms(text))
  const documents = items.map((item) => documentOf(item))
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  const counts = documents.map((document) => {
    const times = new Map<string, number>()
    for (const term of document) if (wanted.has(term)) times.set(term, (times.get(term) ?? 0) + 1)
    return times
  })
  const frequency = new Map<string, number>()
  for (const times of counts) for (const term of times.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const scores = counts.map((times, index) => {
    let score = 0
    for (const [term, count] of times) {
      const found = frequency.get(term) as number
      const rarity = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
      score +=
        (rarity * (count * (K1 + 1))) /
        (count + K1 * (1 - B + (B * (documents[index] as readonly string[]).length) / average))
    }
    return score
  })
  return items
    .map((item, index) => ({ item, score: scores[index] as number }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}
