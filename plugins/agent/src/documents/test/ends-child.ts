// Starts a confined process that is busy for ever, and prints its id.
import { Confinement } from '../confinement.js'

const child = await new Confinement().start(new URL('attempts-child.js', import.meta.url))
child.input.end(JSON.stringify(['loop']))
child.results.on('data', (pid: Buffer) => process.stdout.write(pid))
