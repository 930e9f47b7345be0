// A host for the time of a command: the one that runs, or one that is started for it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { ask } from '../control.js'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url))
const START_MS = 60_000
const POLL_MS = 200

/** A running host. */
export interface BorrowedHost {
  /** Whether it ran before. One that was started for the command stops with it. */
  readonly ranBefore: boolean
  release(): Promise<void>
}

/**
 * Returns the running host, or starts one.
 *
 * @param onStart called before a host is started
 */
export async function borrowHost(
  file: string,
  root: string,
  health: string,
  onStart: () => void,
): Promise<BorrowedHost> {
  if (await ask(join(root, 'data'), { do: 'ping' })) return { ranBefore: true, release: async () => {} }
  onStart()
  const child = spawn(process.execPath, [MAIN, 'start', '-c', file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
    })
  try {
    await ready(child, health, () => said)
  } catch (error) {
    await stop(child)
    throw error
  }
  return { ranBefore: false, release: () => stop(child) }
}

async function ready(child: ChildProcess, health: string, said: () => string): Promise<void> {
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    if (child.exitCode !== null) break
    if (
      await fetch(health).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await setTimeout(POLL_MS)
  }
  throw new UserError(`the host did not start:\n${said().trim()}`, {
    exitCode: child.exitCode ?? EXIT.failure,
    remedy: 'Find the problem with: mynah doctor',
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
