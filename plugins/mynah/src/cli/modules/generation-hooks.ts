// Hooks of the module loader for generations of code. Older versions of Node run them in a separate thread.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface ResolveContext {
  readonly parentURL?: string
  readonly conditions?: readonly string[]
}

const GENERATION = /\?mynah=\d{1,9}$/
const OWN_SPECIFIER = /^(?:\.{1,2}\/|#)/

/** Returns the address of a module without its generation. */
export const withoutGeneration = (url: string): string => url.replace(GENERATION, '')

const packages = new Map<string, string>()

/** Returns the nearest folder with a package.json above a file. */
export function packageFolder(url: string): string {
  const folder = new URL('.', url).href
  const known = packages.get(folder)
  if (known !== undefined) return known
  const parent = new URL('..', folder).href
  const isPackage = parent === folder || existsSync(fileURLToPath(new URL('package.json', folder)))
  const found = isPackage ? folder : packageFolder(parent)
  packages.set(folder, found)
  return found
}

/**
 * Gives a resolved module the generation of the module that imports it, if it is a file of the same plugin: it is
 * imported by its path, or belongs to the same package. Installed packages stay one for all generations.
 */
export function inGeneration<T extends { readonly url: string }>(
  specifier: string,
  { parentURL = '', conditions }: ResolveContext,
  resolved: T,
): T {
  const generation = GENERATION.exec(parentURL)?.[0]
  const { url } = resolved
  // `require` knows paths only.
  if (generation === undefined || conditions?.includes('require')) return resolved
  if (!url.startsWith('file:') || url.includes('?') || url.includes('/node_modules/')) return resolved
  const isOwn = OWN_SPECIFIER.test(specifier) || packageFolder(url) === packageFolder(parentURL)
  return isOwn ? { ...resolved, url: url + generation } : resolved
}

export async function resolve<T extends { readonly url: string }>(
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => Promise<T>,
): Promise<T> {
  return inGeneration(specifier, context, await next(specifier, context))
}
