/** Returns a text without spaces at the ends of its lines, and with at most one empty line between others. */
export function tidyLines(text: string): string {
  const lines = text.split('\n').map(withoutEndingSpaces)
  return lines
    .filter((line, at) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .trim()
}

/** Tabs stay: they are empty cells. A pattern would take quadratic time on many spaces within a line. */
function withoutEndingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] !== '\t' && line.slice(end - 1, end).trim() === '') end--
  return line.slice(0, end)
}
