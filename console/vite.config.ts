// Builds the console: a static site with hashed assets, and the shared runtime of entries beside it.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { demoOf } from './vite/demo.js'
import { sharedInputs, sharedRuntime } from './vite/shared-runtime.js'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig(({ mode }) => {
  const demo = demoOf(mode, process.env)
  return {
    root,
    base: '/',
    // What only a full console has is replaced before it is looked at, so that none of it is in the demo.
    define: { __DEMO__: String(demo !== undefined), __DEMO_HOST__: JSON.stringify(demo ?? null) },
    resolve: demo ? { alias: [{ find: /^\.\/pages\/registry\.js$/, replacement: `${root}src/demo/registry.ts` }] } : {},
    plugins: [sharedRuntime(demo && new URL(demo.base).origin)],
    server: { port: 5173, host: '127.0.0.1' },
    preview: { port: 5173, host: '127.0.0.1' },
    build: {
      outDir: demo ? 'dist-demo' : 'dist',
      target: 'es2022',
      manifest: true,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        preserveEntrySignatures: 'exports-only',
        // The list of the kit's parts does nothing itself, so that a page has only those parts that it uses.
        treeshake: { moduleSideEffects: [{ test: /[\\/]console[\\/]src[\\/]ui[\\/]index\.ts$/, sideEffects: false }] },
        input: { index: `${root}index.html`, ...sharedInputs },
        // Few files for the first screen; what it needs anyway compresses better together.
        output: {
          codeSplitting: {
            groups: [
              { name: 'runtime', test: /[\\/]node_modules[\\/]preact[\\/]/, priority: 3 },
              // What the first screen needs anyway; the parts of pages that the dashboard uses are among it, and what both of its halves use.
              {
                name: 'app',
                test: /[\\/](?:sdk|contract)[\\/]dist[\\/](?!entr)|[\\/]console[\\/]src[\\/](?:ui[\\/](?!parts|index\.|list-page|pager|tabs|ledger|code|panel)|lib[\\/](?!use-list|page-of|schema-rows|search|recent|to-end)|entries[\\/](?!load)|locales[\\/]en|pages[\\/](?:registry|dashboard[\\/](?:lines|model|texts))\.|app[\\/](?!palette|things|commands|shortcut-|host-dialog|host-texts)|kit[\\/](?:call|texts|when|use-keys|listed)\.|ui[\\/]parts[\\/](?:loaded|section|state|texts)\.)/,
                priority: 2,
              },
              {
                name: 'lists',
                test: /[\\/]console[\\/]src[\\/](?:ui[\\/](?:list-page|pager)|lib[\\/](?:use-list|page-of))\./,
                priority: 1,
              },
              { name: 'panels', test: /[\\/]console[\\/]src[\\/]ui[\\/](?:tabs|ledger|code|panel)\./, priority: 1 },
              // Its layer comes after those of the shell, so that it must not be in a file that is there before them.
              { name: 'parts', test: /[\\/]console[\\/]src[\\/]ui[\\/]parts[\\/]parts\.css$/, priority: 2 },
              // Parts of other pages, in one file that the second page finds already there.
              {
                name: 'kit',
                test: /[\\/]console[\\/]src[\\/](?:lib[\\/]to-end|(?:kit|ui[\\/]parts)[\\/](?!editor|diff|cursor-pager|focused-row|virtual-list))/,
                priority: 1,
              },
            ],
          },
        },
      },
    },
  }
})
