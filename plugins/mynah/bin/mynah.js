#!/usr/bin/env node
// The command `mynah`. It is not compiled, so that npm can link it before the build and an old Node can read it.
import { existsSync } from 'node:fs'

const LEAST = [20, 19]
const main = new URL('../dist/cli/main.js', import.meta.url)
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
  process.stderr.write(
    `mynah: it needs Node ${LEAST.join('.')} or later, and this is ${process.versions.node}\n` +
      '    Install a newer one from https://nodejs.org or by your version manager, and try again\n',
  )
  process.exitCode = 1
} else if (existsSync(main)) await import(main)
else {
  process.stderr.write('mynah: it is not built yet; run this at the root of the repository: npm run build\n')
  process.exitCode = 1
}
