import { statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const RELATIVE = /\b(?:from|import)\s{0,9}\(?\s{0,9}(['"])(\.{1,2}\/[^'"\n]{1,400})\1/g
const MOST_FILES = 100
const MOST_BYTES = 1_000_000

/** Returns the URLs of the module at `url` and of its relative imports, transitively and without installed packages. */
export async function ownFiles(url: string): Promise<string[]> {
  const found = [url]
  for (const from of found) {
    if (found.length >= MOST_FILES) break
    for (const [, , specifier] of (await textOf(from)).matchAll(RELATIVE)) {
      const target = targetOf(specifier as string, from)
      if (target && !found.includes(target)) found.push(target)
    }
  }
  return found.slice(0, MOST_FILES)
}

/** Returns the imported file. A `.js` import may refer to a `.ts` file. */
function targetOf(specifier: string, from: string): string | undefined {
  const asked = new URL(specifier, from).href
  if (asked.includes('/node_modules/')) return undefined
  return [asked, asked.replace(/\.(m?)js$/, '.$1ts')].find(isFile)
}

/** Returns whether a URL names a file. One with a stray `%`, for example, names none, as Node says of its import. */
function isFile(url: string): boolean {
  try {
    return statSync(fileURLToPath(url)).isFile()
  } catch {
    // The import fails with the reason, if it is one at all: the text may be that of a comment.
    return false
  }
}

async function textOf(url: string): Promise<string> {
  const file = fileURLToPath(url)
  const { size } = await stat(file)
  return size <= MOST_BYTES && /\.[cm]?[jt]s$/.test(file) ? readFile(file, 'utf8') : ''
}
