// Variables of the `.env` files next to a configuration file.
import { join } from 'node:path'
import { KernelError } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { readTextFile } from './encoding.js'

/** A set of environment variables, such as `process.env`. */
export type Environment = Record<string, string | undefined>

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/s
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/** Returns the names of the `.env` files, in the order of their precedence: later files win. */
export function environmentFiles(nodeEnv: string | undefined): string[] {
  return [
    '.env',
    '.env.local',
    ...(nodeEnv && /^\w[\w-]*$/.test(nodeEnv) && nodeEnv !== 'local' ? [`.env.${nodeEnv}`] : []),
  ]
}

/**
 * Parses `NAME=value` lines with `#` comments and an optional `export`. Single quotes are literal, double quotes have
 * escapes such as `\n`, and both may span lines.
 */
export function parseEnvironment(text: string): Record<string, string> {
  const variables: Record<string, string> = {}
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  for (let at = 0; at < lines.length; at++) {
    const match = LINE.exec(lines[at] as string)
    if (!match) continue
    const name = match[1] as string
    let rest = (match[2] as string).trimStart()
    const quote = rest[0]
    if (quote === '"' || quote === "'") {
      const last = findClosingQuote(lines, at, rest, quote)
      if (last) {
        rest = [rest, ...lines.slice(at + 1, last.line + 1)].join('\n')
        at = last.line
        const inner = rest.slice(1, last.offset)
        variables[name] =
          quote === "'" ? inner : inner.replace(/\\([nrt"\\])/g, (_, char: string) => ESCAPES[char] as string)
        continue
      }
    }
    variables[name] = rest.replace(/(^|\s)#.*$/s, '').trim()
  }
  return variables
}

/** Returns the end of a quoted value: its line, and the offset of the quote in the joined text. */
function findClosingQuote(
  lines: readonly string[],
  from: number,
  first: string,
  quote: string,
): { line: number; offset: number } | undefined {
  let before = 0
  for (let line = from; line < lines.length; line++) {
    const text = line === from ? first : (lines[line] as string)
    for (let at = line === from ? 1 : 0; at < text.length; at++) {
      if (quote === '"' && text[at] === '\\') at++
      else if (text[at] === quote) return { line, offset: before + at }
    }
    before += text.length + 1
    // So long a value means that the closing quote is missing.
    if (before > 65_536) return undefined
  }
  return undefined
}

/** Reads the variables of all `.env` files in `root` that exist. */
export async function readEnvironment(root: string, nodeEnv: string | undefined): Promise<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const name of environmentFiles(nodeEnv)) {
    let text: string
    try {
      text = await readTextFile(join(root, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      if (error instanceof KernelError) throw error
      throw new KernelError('config/unreadable', `${name} cannot be read: ${reasonOf(error)}`, {
        place: { file: name },
      })
    }
    Object.assign(variables, parseEnvironment(text))
  }
  return variables
}

/** Returns why a file could not be read, without its absolute path. */
export function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'it does not exist'
    case 'EACCES':
    case 'EPERM':
      return 'no permission to read it'
    case 'EISDIR':
      return 'it is a directory'
    default:
      return (error as NodeJS.ErrnoException).code ?? messageOf(error)
  }
}

/** The environment of a host, merged with the variables of its `.env` files. */
export class Variables {
  readonly #env: Environment
  /** Names of the variables that came from files. All other variables win over those of files. */
  #fromFiles = new Set<string>()

  constructor(env: Environment) {
    this.#env = env
  }

  get current(): Environment {
    return this.#env
  }

  /** Returns the environment as it would be with these variables of files. Changes nothing. */
  with(files: Readonly<Record<string, string>>): Environment {
    const view: Environment = { ...this.#env }
    for (const name of this.#fromFiles) delete view[name]
    for (const [name, value] of Object.entries(files)) view[name] ??= value
    return view
  }

  /** Puts the variables of files into the environment; the returned function restores it. */
  put(files: Readonly<Record<string, string>>): () => void {
    const [before, names] = [this.with({}), this.#fromFiles]
    const values = Array.from(names, (name) => [name, this.#env[name]] as const)
    for (const name of names) delete this.#env[name]
    this.#fromFiles = new Set(Object.keys(files).filter((name) => before[name] === undefined))
    for (const name of this.#fromFiles) this.#env[name] = files[name]
    return () => {
      for (const name of this.#fromFiles) delete this.#env[name]
      for (const [name, value] of values) this.#env[name] = value
      this.#fromFiles = names
    }
  }
}
