#!/usr/bin/env node
// `npm create mynah`. It is no compiled file, so that npm finds and links it before anything is built.
const { main } = await import('../dist/index.js')
process.exitCode = await main(process.argv.slice(2))
