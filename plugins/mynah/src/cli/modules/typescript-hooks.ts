// Hooks of the module loader for TypeScript plugins. Older versions of Node run them in a separate thread.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { withoutGeneration } from './generation-hooks.js'
import { stripTypes } from './strip-types.js'

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
 * Returns the `.ts` file for an import such as `./helper.js` in TypeScript, where imports name the compiled file.
 * Returns
 * `undefined` if the `.js` file exists or the importing module is not TypeScript.
 */
export function sourceFor(specifier: string, parentUrl: string | undefined): string | undefined {
  const parent = parentUrl && withoutGeneration(parentUrl)
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
      new Error('types are not removed from installed packages: a published plugin must contain JavaScript'),
      { code: 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING' },
    )
  }
  return { format: 'module', source: stripTypes(await readFile(fileURLToPath(url), 'utf8'), url), shortCircuit: true }
}
