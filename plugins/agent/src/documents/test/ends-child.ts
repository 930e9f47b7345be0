// Starts a confined process that is busy for ever, and prints its id.
import { startConfined } from '../confined-process.js'

const child = startConfined(new URL('attempts-child.js', import.meta.url))
child.input.end(JSON.stringify(['loop']))
child.results.on('data', (pid: Buffer) => process.stdout.write(pid))
