// Vite configuration of console entries. Modules that the console shares stay external, and a bundled copy fails the
// build.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { entryManifest } from './manifest.js'
import { noOwnRuntime } from './no-own-runtime.js'
import { shareRuntime } from './share-runtime.js'
import { sharedModules } from './shared.js'

export { noOwnRuntime } from './no-own-runtime.js'

const runtime = /^(?:react|react-dom|preact)(?:\/|$)/

/**
 * Exports the address of the style sheet, which the console links while the entry is registered. A module that
 * linked it
 * itself would do so once, and never again when the entry comes back.
 */
function nameStyles() {
  return {
    name: 'mynah:name-styles',
    enforce: 'post',
    generateBundle(_options, bundle) {
      // The hash makes a changed sheet change the module, so that consoles are notified.
      const sheets = Object.values(bundle)
        .filter((item) => item.type === 'asset' && item.fileName.endsWith('.css'))
        .map(
          ({ fileName, source }) => `${fileName}?v=${createHash('sha256').update(source).digest('hex').slice(0, 16)}`,
        )
      const entry = Object.values(bundle).find((item) => item.type === 'chunk' && item.isEntry)
      if (!entry || sheets.length === 0) return
      entry.code += `\nexport const mynahStyles=${JSON.stringify(sheets)}.map(s=>new URL(s,import.meta.url).href)\n`
    },
  }
}

/**
 * The configuration of an entry's build: `client/src/index.tsx` to `client/dist/index.js`.
 *
 * @param {import('./index.d.ts').EntryPresetOptions} [options]
 * @returns {import('vite').UserConfig}
 */
export function entryPreset({ root = process.cwd(), entry = 'src/index.tsx', outDir = 'dist', manifest } = {}) {
  return {
    root,
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [shareRuntime(), noOwnRuntime(), nameStyles(), ...(manifest ? [entryManifest(manifest)] : [])],
    build: {
      outDir: resolve(root, outDir),
      emptyOutDir: true,
      target: 'es2022',
      lib: { entry: resolve(root, entry), formats: ['es'], fileName: () => 'index.js', cssFileName: 'index' },
      rolldownOptions: {
        // Libraries mark modules for server rendering. Entries run in the browser only.
        onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
        // Parts of the runtimes that are not shared are rejected by name, not bundled.
        external: (id) => runtime.test(id) && !Object.hasOwn(sharedModules, id),
        output: { chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  }
}
