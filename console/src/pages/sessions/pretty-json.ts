const TOKENS = /"(?:\\.|[^"\\])*"|[[\]{},:]|[^\s[\]{},:"]+/g
const OPENS = new Set(['{', '['])
const CLOSES = new Set(['}', ']'])

/**
 * Returns an object or array of JSON with its members in lines. The tokens stay as they were written, so that long
 * numbers keep their digits. Any other text is returned as it is.
 */
export function prettyJson(text: string): string {
  if (!isObject(text)) return text
  const tokens = text.match(TOKENS) ?? []
  let depth = 0
  let pretty = ''
  for (const [index, token] of tokens.entries()) {
    const isEmpty = OPENS.has(tokens[index - 1] ?? '') && CLOSES.has(token)
    if (CLOSES.has(token)) depth -= 1
    const startsLine = OPENS.has(tokens[index - 1] ?? '') || tokens[index - 1] === ',' || CLOSES.has(token)
    if (index > 0 && startsLine && !isEmpty) pretty += `\n${'  '.repeat(depth)}`
    if (OPENS.has(token)) depth += 1
    pretty += token === ':' ? ': ' : token
  }
  return pretty
}

function isObject(text: string): boolean {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
