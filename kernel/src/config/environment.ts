// Variables of the `.env` files beside a configuration file.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KernelError, messageOf } from '../core/errors.js'

/** A set of environment variables, such as `process.env`. */
export type Environment = Record<string, string | undefined>

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/** Names of the files that count, the later one winning. */
export function environmentFiles(nodeEnv: string | undefined): string[] {
  return ['.env', '.env.local', ...(nodeEnv && /^\w[\w-]*$/.test(nodeEnv) && nodeEnv !== 'local' ? [`.env.${nodeEnv}`] : [])]
}

/**
 * Reads `NAME=value` lines: `#` comments, an optional `export`, single quotes taken literally, double quotes with
 * `\n` and the like, either over several lines.
 */
export function parseEnvironment(text: string): Record<string, string> {
  const variables: Record<string, string> = {}
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const match = LINE.exec(lines[at] as string)
    if (!match) continue
    const name = match[1] as string
    let rest = match[2] as string
    const quote = rest[0]
    if (quote === '"' || quote === "'") {
      const last = closing(lines, at, rest, quote)
      if (last) {
        rest = [rest, ...lines.slice(at + 1, last.line + 1)].join('\n')
        at = last.line
        const inner = rest.slice(1, last.offset)
        variables[name] = quote === "'" ? inner : inner.replace(/\\([nrt"\\])/g, (_, char: string) => ESCAPES[char] as string)
        continue
      }
    }
    variables[name] = rest.replace(/(^|\s)#.*$/, '').trim()
  }
  return variables
}

/** Where a quoted value ends: its line, and the offset of the quote in the joined text. */
function closing(lines: readonly string[], from: number, first: string, quote: string): { line: number; offset: number } | undefined {
  let before = 0
  for (let line = from; line < lines.length; line++) {
    const text = line === from ? first : (lines[line] as string)
    for (let at = line === from ? 1 : 0; at < text.length; at++) {
      if (quote === '"' && text[at] === '\\') at++
      else if (text[at] === quote) return { line, offset: before + at }
    }
    before += text.length + 1
    // A value of this length is a forgotten quote.
    if (before > 65_536) return undefined
  }
  return undefined
}

/** The variables of all files in `root` that exist. */
export async function readEnvironment(root: string, nodeEnv: string | undefined): Promise<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const name of environmentFiles(nodeEnv)) {
    let text: string
    try {
      text = await readFile(join(root, name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw new KernelError('config/unreadable', `${name} cannot be read: ${reasonOf(error)}`, { place: { file: name } })
    }
    Object.assign(variables, parseEnvironment(text))
  }
  return variables
}

/** Why a file could not be read, without its absolute path. */
export function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT': return 'it does not exist'
    case 'EACCES':
    case 'EPERM': return 'no permission to read it'
    case 'EISDIR': return 'it is a directory'
    default: return (error as NodeJS.ErrnoException).code ?? messageOf(error)
  }
}
