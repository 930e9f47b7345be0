import type { Bridge } from './bridge.js'
import { findProgram } from '../view/tools.js'

/** Where a view has its programs, whatever the `PATH` of the host says. */
const IN_VIEW = '/usr/bin:/bin:/usr/local/bin'

/** Finds the fastest program that can be a bridge. Node is there always and takes the longest to start. */
export async function findBridge(): Promise<Bridge> {
  for (const kind of ['socat', 'perl'] as const) {
    const program = await findProgram(kind, IN_VIEW)
    if (program !== undefined) return { kind, program }
  }
  return { kind: 'node', program: process.execPath }
}
