// What Node asks while it loads modules, so that plugins may be TypeScript; runs in a thread of Node's own where Node is older.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { strip } from './strip.js'

interface ResolveContext {
  readonly parentURL?: string
}
interface Resolved {
  readonly url: string
}
interface Source {
  readonly format: string
  readonly source: string | Uint8Array
  readonly shortCircuit?: boolean
}

const TYPESCRIPT = /\.m?ts$/
const isInstalled = (url: string): boolean => url.includes('/node_modules/')

/**
 * The source that `./helper.js` stands for where TypeScript asks for it: the compiler wants the name that the file will
 * have. Nothing where there is such a file, or who asks is not TypeScript.
 */
export function sourceFor(specifier: string, parent: string | undefined): string | undefined {
  if (!parent || !TYPESCRIPT.test(parent) || isInstalled(parent) || !/^\.{1,2}\/.*\.m?js$/.test(specifier))
    return undefined
  const asked = new URL(specifier, parent)
  if (asked.protocol !== 'file:' || existsSync(fileURLToPath(asked))) return undefined
  const source = new URL(specifier.replace(/js$/, 'ts'), parent)
  return existsSync(fileURLToPath(source)) ? source.href : undefined
}

export async function resolve(
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => Promise<Resolved>,
): Promise<Resolved> {
  return next(sourceFor(specifier, context.parentURL) ?? specifier, context)
}

export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Source>,
): Promise<Source> {
  if (!url.startsWith('file:') || !TYPESCRIPT.test(url.split(/[?#]/, 1)[0] as string)) return next(url, context)
  if (isInstalled(url)) {
    throw Object.assign(
      new Error('types are not taken out of installed packages: a published plugin holds JavaScript'),
      { code: 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING' },
    )
  }
  return { format: 'module', source: strip(await readFile(fileURLToPath(url), 'utf8'), url), shortCircuit: true }
}
