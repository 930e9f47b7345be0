// Builds the console as a static site with hashed assets, together with the runtime that entries share.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { demoOf } from './vite/demo.js'
import { sharedInputs, sharedRuntime } from './vite/shared-runtime.js'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Matches source files of the console whose path below `src/` begins with one of the patterns. */
const inSource = (...patterns: readonly string[]): RegExp =>
  new RegExp(`/console/src/(?:${patterns.join('|')})`.replaceAll('/', '[\\\\/]'))
const anyOf = (...patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'))

/** The client, without the loader of entries and what only pages of files use. */
const SDK_AND_CONTRACT = /[\\/](?:sdk|contract)[\\/]dist[\\/](?!entr|file-)/
const PAGER = ['ui/pager\\.', 'lib/paginate\\.']
const LISTS = ['ui/list-page\\.', 'lib/use-list\\.']
const PANELS = ['ui/(?:tabs|ledger|code|panel)\\.']
const FIRST_SCREEN = [
  'ui/(?!parts|index\\.|list-page|pager|tabs|ledger|code|panel|field|dialog)',
  'lib/(?!use-list|paginate|schema-rows|search|recent-commands|scroll-to-end|draft-store|unsaved)',
  'entries/(?!load)',
  'locales/en',
  'pages/registry\\.',
  'pages/dashboard/(?:fact-list|model|texts)\\.',
  'app/(?!palette|host-items|commands|shortcut-|page-sheet|host-dialog|host-texts|later|focus-keeper|dev-|restart-|not-found|plugin-off)',
  'kit/(?:call|texts|time-format|use-shortcuts|use-timer|join-list|use-host-names)\\.',
  'ui/parts/(?:loaded|section|state|texts)\\.',
]
/** Modules that the pages of files share. Each file of a page costs a line in the list of the first screen. */
const FILES = ['pages/files/(?:model|texts|drafts|transfer)\\.']
const DRAFTS = ['kit/use-draft', 'ui/parts/kept-note']
/** Pages with rows of several hosts. A page loads the choice only where there are several. */
const HOST_SELECT = ['ui/parts/host-select']
const PAGE_PARTS = [
  'lib/(?:scroll-to-end|draft-store|unsaved)',
  'ui/(?:field|dialog)\\.',
  '(?:kit|ui/parts)/(?!editor|diff|cursor-pager|focused-row|virtual-list|use-draft|kept-note|use-grid-focus|use-host-names|host-select)',
]

export default defineConfig(({ mode }) => {
  const demo = demoOf(mode, process.env)
  return {
    root,
    base: '/',
    // Replaces the modules of the full console before they are resolved, so that the demo contains none of them.
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
              // Everything that the first screen needs, including what both halves of the dashboard use.
              { name: 'app', test: anyOf(SDK_AND_CONTRACT, inSource(...FIRST_SCREEN)), priority: 2 },
              { name: 'pager', test: inSource(...PAGER), priority: 2 },
              { name: 'drafts', test: inSource(...DRAFTS), priority: 1 },
              { name: 'host-select', test: inSource(...HOST_SELECT), priority: 1 },
              { name: 'lists', test: inSource(...LISTS), priority: 1 },
              { name: 'panels', test: inSource(...PANELS), priority: 1 },
              { name: 'file-parts', test: inSource(...FILES), priority: 1 },
              // The layer of these styles follows those of the shell, so they must not load before the shell.
              { name: 'parts', test: inSource('ui/parts/parts\\.css$'), priority: 2 },
              // Parts of other pages share one file, which the second visited page finds in the cache.
              { name: 'kit', test: inSource(...PAGE_PARTS), priority: 2 },
            ],
          },
        },
      },
    },
  }
})
