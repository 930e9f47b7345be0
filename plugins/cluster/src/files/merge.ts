/**
 * Returns a text with the lines that another one has added at its end, such as notes; `undefined` where they differ
 * before that, or are no texts.
 */
export function merged(mine: Buffer, theirs: Buffer): Buffer | undefined {
  if (mine.includes(0) || theirs.includes(0)) return undefined
  let common = 0
  while (common < mine.length && common < theirs.length && mine[common] === theirs[common]) common++
  // Whole lines only.
  const start = mine.subarray(0, common).lastIndexOf(0x0a) + 1
  const known = linesOf(theirs.subarray(start))
  const added = linesOf(mine.subarray(start)).filter((line) => !known.includes(line))
  // Without a common beginning these are two texts, not one with lines added.
  if (start === 0 && mine.length > 0 && theirs.length > 0) return undefined
  const rest = [...known, ...added].map((line) => `${line}\n`).join('')
  return Buffer.concat([theirs.subarray(0, start), Buffer.from(rest)])
}

const linesOf = (bytes: Buffer): string[] => {
  const lines = bytes.toString('utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
