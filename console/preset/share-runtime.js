// Makes all modules of an entry, CommonJS packages included, use the console's shared modules.
import { sharedModules, versionedUi } from './shared.js'

const VIRTUAL = '\0mynah-shared:'
const isShared = (id) => Object.hasOwn(sharedModules, id)
/** The module that the built entry imports for a shared name. */
const bareName = (name) => (name === '@mynah/console/ui' ? versionedUi : name)

/**
 * Each shared name becomes a module of its own, and only that one imports the bare name: a `require` in a CommonJS
 * package
 * then finds a module in the bundle, where an external one would be left for a browser that has no `require`.
 */
export function shareRuntime() {
  return {
    name: 'mynah:share-runtime',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer?.startsWith(VIRTUAL)) return { id: source, external: true }
      return isShared(source) ? VIRTUAL + source : null
    },
    load(id) {
      if (!id.startsWith(VIRTUAL)) return null
      const name = JSON.stringify(bareName(id.slice(VIRTUAL.length)))
      return `export * from ${name}\nimport * as all from ${name}\nexport default (all.default ?? all)\n`
    },
  }
}
