// Builds the console: a static site with hashed assets, and the shared runtime of entries beside it.
import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defineConfig } from 'vite'
import { sharedInputs, sharedRuntime } from './vite/shared-runtime.js'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  base: '/',
  plugins: [preact({ prefreshEnabled: true }), sharedRuntime()],
  server: { port: 5173, host: '127.0.0.1' },
  preview: { port: 5173, host: '127.0.0.1' },
  build: {
    outDir: 'dist',
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      preserveEntrySignatures: 'exports-only',
      input: { index: `${root}index.html`, ...sharedInputs },
      // Few files for the first screen; what it needs anyway compresses better together.
      output: {
        codeSplitting: {
          groups: [
            { name: 'runtime', test: /[\\/]node_modules[\\/]preact[\\/]/, priority: 3 },
            { name: 'app', test: /[\\/](?:sdk|contract)[\\/]dist[\\/]|[\\/]console[\\/]src[\\/](?:ui|lib|entries|locales[\\/]en|pages[\\/]registry|app[\\/](?!palette|commands|shortcut-sheet|host-dialog))/, priority: 2 },
          ],
        },
      },
    },
  },
})
