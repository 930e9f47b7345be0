// Reads the commands of documentation pages: blocks of a shell, and commands of Mynah in sentences.
const BLOCK = /^( *)```sh\n([\s\S]*?)^ *```$/gm
const INLINE = /`((?:npx )?mynah [^`\n]{1,200}|npm (?:create|install|run) [^`\n]{1,200})`/g
const FENCED = /^ *```[\s\S]*?^ *```$/gm
const WORD = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+/g

/** Returns the texts of the blocks of a shell. */
export const shellBlocks = (page) =>
  Array.from(page.matchAll(BLOCK), ([, indent, code]) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))

/** Returns the words of one command, without quotes. A comment ends it. */
function wordsOf(command) {
  const words = []
  let end = -1
  for (const { 0: text, index } of command.matchAll(WORD)) {
    if (text.startsWith('#') && index !== end) break
    const plain = /^["']/.test(text) ? text.slice(1, -1) : text
    // Quoted parts without a blank between them are one word.
    if (index === end) words.push(`${words.pop()}${plain}`)
    else words.push(plain)
    end = index + text.length
  }
  return words
}

/** Returns the commands of a text, one array of words each. Values of variables before a command are left out. */
function commandsOf(text) {
  return text
    .replaceAll('\\\n', ' ')
    .split(/\n|&&|\|\|/)
    .map(wordsOf)
    .map((words) =>
      words.slice(
        Math.max(
          0,
          words.findIndex((word) => !/^\w+=/.test(word)),
        ),
      ),
    )
    .filter((words) => words.length > 0)
}

/** Returns the words without the signs of a usage: `[folder]` is optional and left out, `a|b` is `a`. */
const exampleOf = (text) =>
  text
    .replaceAll('\\|', '|')
    .replaceAll(/\[[^\]]{0,80}\]/g, '')
    .replaceAll(/(\w)\|[\w|]+/g, '$1')
    .replaceAll(/<[^>]{1,40}>/g, 'name')
    .replaceAll('…', '')

/** Returns the words that `npm create` passes to create-mynah, or undefined. npm takes options before the package. */
export function createdBy([npm, create, ...words]) {
  if (npm !== 'npm' || create !== 'create') return undefined
  const [name, ...more] = words[0] === '--yes' ? words.slice(1) : words
  if (name !== 'mynah') return undefined
  const cut = more.indexOf('--')
  const before = cut < 0 ? more : more.slice(0, cut)
  const swallowed = before.find((word) => word.startsWith('-'))
  if (swallowed) throw new Error(`npm takes ${swallowed} for itself: write -- before it`)
  return cut < 0 ? before : [...before, ...more.slice(cut + 1)]
}

/** Returns all commands of a page. */
export function commandsOfPage(page) {
  const inline = Array.from(page.replaceAll(FENCED, '').matchAll(INLINE), ([, text]) => exampleOf(text))
  return [...shellBlocks(page), ...inline].flatMap(commandsOf).map((words) => words.map(exampleOf).filter(Boolean))
}
