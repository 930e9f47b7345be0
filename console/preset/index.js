// Vite configuration of console entries: what the console shares stays out, and the build fails when a copy got in.
import { resolve } from 'node:path'
import { sharedModules } from './shared.js'

const runtime = /^(?:react|react-dom|preact)(?:\/|$)/
const copies = /[\\/]node_modules[\\/](?:react|react-dom|preact|scheduler)[\\/]/
/** Texts that survive minification and that only the runtimes themselves contain. */
const fingerprints = [/Symbol\.for\(["'`]react\.(?:transitional\.)?element["'`]\)/, /Symbol\.for\(["'`]pv["'`]\)/, /__PREACT_DEVTOOLS__/]

const isShared = (id) => id in sharedModules

/** Fails the build when React or Preact is in the bundle, or when something is imported that the console does not share. */
export function noOwnRuntime() {
  return {
    name: 'mynah:no-own-runtime',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const module = Object.keys(chunk.modules).find((id) => copies.test(id))
        if (module || fingerprints.some((fingerprint) => fingerprint.test(chunk.code))) {
          this.error(`${chunk.fileName} contains a copy of React or Preact${module ? ` (${module.split(/[\\/]node_modules[\\/]/).at(-1)})` : ''}. The console shares its own; a second copy renders nothing. Leave it external, or use a build of the library that imports it.`)
        }
        for (const id of [...chunk.imports, ...chunk.dynamicImports]) {
          if (id in bundle || isShared(id)) continue
          this.error(`${chunk.fileName} imports "${id}", which the console does not share. Shared are: ${Object.keys(sharedModules).join(', ')}.`)
        }
      }
    },
  }
}

/** Loads the style sheet of an entry with its module; the policy of the console allows sheets of the host's origin, not inline ones. */
function linkStyles() {
  return {
    name: 'mynah:link-styles',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const sheets = Object.values(bundle).filter((item) => item.type === 'asset' && item.fileName.endsWith('.css')).map((item) => item.fileName)
      const entry = Object.values(bundle).find((item) => item.type === 'chunk' && item.isEntry)
      if (!entry || sheets.length === 0) return
      const code = `for(const s of ${JSON.stringify(sheets)}){const l=document.createElement("link");l.rel="stylesheet";l.href=new URL(s+new URL(import.meta.url).search,import.meta.url).href;document.head.append(l)}\n`
      // Imports come first wherever they stand.
      entry.code = code + entry.code
    },
  }
}

/**
 * The configuration of an entry's build: `client/src/index.tsx` to `client/dist/index.js`.
 *
 * @param {{ root?: string, entry?: string, outDir?: string }} [options] `root` is the folder of the entry, default the current one;
 *   `entry` and `outDir` are relative to it
 * @returns {import('vite').UserConfig}
 */
export function entryPreset({ root = process.cwd(), entry = 'src/index.tsx', outDir = 'dist' } = {}) {
  return {
    root,
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [noOwnRuntime(), linkStyles()],
    build: {
      outDir: resolve(root, outDir),
      emptyOutDir: true,
      target: 'es2022',
      lib: { entry: resolve(root, entry), formats: ['es'], fileName: () => 'index.js', cssFileName: 'index' },
      rolldownOptions: {
        external: (id) => isShared(id) || runtime.test(id),
        output: { chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  }
}
