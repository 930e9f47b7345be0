// Worker thread of the watchdog. It counts beats of the main loop and reads the stack with the inspector when they
// stop.
import { writeSync } from 'node:fs'
import inspector from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import { pathOf, locationOf } from './attribution.js'
import type { Blocked, WatchdogData } from './watchdog-data.js'

const { beats, limit, beat, inspect, root } = workerData as WatchdogData
const counter = new Int32Array(beats)
const STACK_TIMEOUT_MS = 2_000

interface CallFrame {
  functionName: string
  url: string
  location: { scriptId: string; lineNumber: number; columnNumber: number }
}
/** In newer versions of Node only this event contains the URL of a script. */
interface Script {
  scriptId: string
  url: string
}

/** Pauses the main thread briefly and returns its stack. Empty if the thread is in native code or does not answer. */
async function stackOfMain(): Promise<Blocked['frames']> {
  if (!inspect) return []
  const session = new inspector.Session()
  const urls = new Map<string, string>()
  try {
    session.connectToMainThread()
    return await new Promise<Blocked['frames']>((resolve, reject) => {
      const timeout = setTimeout(() => resolve([]), STACK_TIMEOUT_MS)
      session.on('Debugger.scriptParsed', ({ params }) => {
        const { scriptId, url } = params as Script
        urls.set(scriptId, url)
      })
      session.on('Debugger.paused', ({ params }) => {
        clearTimeout(timeout)
        const frames = (params.callFrames as unknown as CallFrame[]).map(({ functionName, url, location }) => ({
          name: functionName,
          url: url || (urls.get(location.scriptId) ?? ''),
          line: location.lineNumber + 1,
          column: location.columnNumber + 1,
        }))
        // Disconnecting during the pause would crash or hang the thread, so the result is returned a turn later.
        session.post('Debugger.resume')
        setTimeout(() => resolve(frames), beat)
      })
      const failed = (error: Error | null): void => {
        if (error) reject(error)
      }
      session.post('Debugger.enable', failed)
      session.post('Debugger.pause', failed)
    })
  } catch (error) {
    write(`failed to read the stack of the main loop: ${(error as Error).message}`)
    return []
  } finally {
    session.disconnect()
  }
}

function write(line: string): void {
  writeSync(2, `[watchdog] ${line}\n`)
}

/** Waits until the count differs from `last`. Returns the milliseconds since `since`. */
async function untilBeat(last: number, since: number): Promise<number> {
  while (Atomics.load(counter, 0) === last) await new Promise((resolve) => setTimeout(resolve, beat))
  return performance.now() - since
}

let last = Atomics.load(counter, 0)
let since = performance.now()
// Counted in turns of this thread, not in time. A suspended process misses one turn, a blocked loop misses all.
let missed = 0

async function check(): Promise<void> {
  const count = Atomics.load(counter, 0)
  if (count !== last) {
    last = count
    since = performance.now()
    missed = 0
    return
  }
  if (++missed * beat < limit) return
  const frames = await stackOfMain()
  const at = frames.find(({ url }) => !url.startsWith('node:'))
  const place = at && locationOf({ ...at, file: pathOf(at.url) ?? at.url }, root)
  const where = at ? ` in ${at.name || 'a function'} (${place})` : ' in native code or without a readable stack'
  write(`the main loop is blocked${where}`)
  const blocked: Blocked = { ms: await untilBeat(count, since), frames }
  parentPort?.postMessage(blocked)
  last = Atomics.load(counter, 0)
  since = performance.now()
  missed = 0
}

async function watch(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, beat))
    await check()
  }
}

parentPort?.postMessage('ready')
void watch()
