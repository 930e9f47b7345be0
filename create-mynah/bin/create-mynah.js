#!/usr/bin/env node
// `npm create mynah`. Not compiled, so that npm can link it before a build, and an old Node can read it.
const LEAST = [20, 19]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
  process.stderr.write(
    `create-mynah: it needs Node ${LEAST.join('.')} or later, and this is ${process.versions.node}\n` +
      'Install a newer one from https://nodejs.org or by your version manager, and try again\n',
  )
  process.exitCode = 1
} else {
  const { main } = await import('../dist/index.js')
  process.exitCode = await main(process.argv.slice(2))
}
