// Bundles the schema builder into one small file (see src/type.ts). Run by the workspace build after `tsc -b`.
import { build } from 'rolldown'

await build({
  input: new URL('../dist/type.js', import.meta.url).pathname,
  output: {
    file: new URL('../dist/type.bundle.js', import.meta.url).pathname,
    format: 'esm',
    minify: { compress: true, mangle: true, codegen: true },
  },
  treeshake: { moduleSideEffects: false },
  logLevel: 'warn',
})
