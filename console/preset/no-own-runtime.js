// Fails a build that contains a copy of React or Preact, and names the module and its importers.
import { sharedModules } from './shared.js'

const PACKAGE = /[\\/]node_modules[\\/](?:react|react-dom|preact|scheduler)[\\/]/
/**
 * Texts that only the runtimes define, to find copies inside the files of a library. The symbols of elements
 * do not count: `react-is` and others compare with them and are harmless.
 */
const DEFINES = [
  /\b__(?:CLIENT|SECRET)_INTERNALS_\w+\s*(?:=(?!=)|:)/,
  /\bSymbol\.for\(["'`]pv["'`]\)/,
  /\b__PREACT_DEVTOOLS__\b/,
]
const MAX_CHAIN = 6

const shortName = (id) => {
  const [path] = id.replace(/^\0/, '').split('?')
  return path.includes('node_modules')
    ? path
        .split(/[\\/]node_modules[\\/]/)
        .at(-1)
        .replaceAll('\\', '/')
    : path.split(/[\\/]/).slice(-2).join('/')
}

/** Returns the import chain of a module, as `a, imported by b, imported by c`. */
function chainOf(context, id) {
  const chain = [id]
  while (chain.length < MAX_CHAIN) {
    const info = context.getModuleInfo(chain.at(-1))
    const next = [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])].find(
      (importer) => !chain.includes(importer),
    )
    if (next === undefined) break
    chain.push(next)
  }
  return chain.map(shortName).join(', imported by ')
}

/**
 * Fails the build when React or Preact is in the bundle, or when something is imported that the console does not
 * share.
 */
export function noOwnRuntime() {
  return {
    name: 'mynah:no-own-runtime',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const [id, { code }] of Object.entries(chunk.modules)) {
          if (!PACKAGE.test(id) && !(code && DEFINES.some((defines) => defines.test(code)))) continue
          this.error(
            `${chunk.fileName} contains a copy of React or Preact: ${chainOf(this, id)}. ` +
              'The console shares its own; a second copy renders nothing. ' +
              'Build with entryPreset, which replaces both, or use a build of the library that imports them.',
          )
        }
        for (const id of [...chunk.imports, ...chunk.dynamicImports]) {
          if (id in bundle || Object.hasOwn(sharedModules, id)) continue
          const importer = Object.keys(chunk.modules).find((module) => {
            const info = this.getModuleInfo(module)
            return [...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? [])].includes(id)
          })
          const by = importer === undefined ? '' : `: it is imported by ${chainOf(this, importer)}`
          this.error(
            `${chunk.fileName} imports "${id}", which the console does not share${by}. ` +
              `Shared are: ${Object.keys(sharedModules).join(', ')}.`,
          )
        }
      }
    },
  }
}
