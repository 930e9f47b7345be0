// Vite configuration of console entries: what the console shares stays out, and the build fails when a copy got in.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { entryManifest } from './manifest.js'
import { noOwnRuntime } from './no-own-runtime.js'
import { shareRuntime } from './share-runtime.js'
import { sharedModules } from './shared.js'

export { noOwnRuntime } from './no-own-runtime.js'

const runtime = /^(?:react|react-dom|preact)(?:\/|$)/

/**
 * Tells the console of the style sheet of an entry, which is linked while the entry is registered: a module that linked it
 * itself would do so once, and never again when the entry comes back.
 */
function nameStyles() {
  return {
    name: 'mynah:name-styles',
    enforce: 'post',
    generateBundle(_options, bundle) {
      // With the hash by which hosts cache; a changed sheet thereby changes the module, and that is what consoles are told of.
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
        // Libraries mark their modules for servers that render; here all of it runs in the browser.
        onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
        // What of the runtimes is not shared is refused by name, not bundled.
        external: (id) => runtime.test(id) && !Object.hasOwn(sharedModules, id),
        output: { chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  }
}
