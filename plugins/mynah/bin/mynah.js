#!/usr/bin/env node
// The command `mynah`. It is no compiled file, so that npm finds and links it before anything is built.
import { existsSync } from 'node:fs'

const main = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(main)) await import(main)
else {
  process.stderr.write('mynah: it is not built yet; run this at the root of the repository: npm run build\n')
  process.exitCode = 1
}
