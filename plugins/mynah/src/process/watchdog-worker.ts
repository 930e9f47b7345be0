// The thread of the watchdog: counts the beats of the main loop and, when they stop, asks the inspector where it stands.
import { writeSync } from 'node:fs'
import inspector from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import { pathOf, placeOf } from './attribution.js'
import type { Blocked, WatchdogData } from './watchdog-data.js'

const { beats, limit, beat, inspect, root } = workerData as WatchdogData
const counter = new Int32Array(beats)
const STACK_PATIENCE_MS = 2_000

interface CallFrame {
  functionName: string
  url: string
  location: { scriptId: string; lineNumber: number; columnNumber: number }
}
/** Scripts carry their URL only in the event that announces them, on newer versions. */
interface Script {
  scriptId: string
  url: string
}

/** Pauses the main thread for a moment and reads its stack; empty where it is in native code or cannot be asked. */
async function stackOfMain(): Promise<Blocked['frames']> {
  if (!inspect) return []
  const session = new inspector.Session()
  const urls = new Map<string, string>()
  try {
    session.connectToMainThread()
    return await new Promise<Blocked['frames']>((resolve, reject) => {
      const patience = setTimeout(() => resolve([]), STACK_PATIENCE_MS)
      session.on('Debugger.scriptParsed', ({ params }) => {
        const { scriptId, url } = params as Script
        urls.set(scriptId, url)
      })
      session.on('Debugger.paused', ({ params }) => {
        clearTimeout(patience)
        const frames = (params.callFrames as unknown as CallFrame[]).map(({ functionName, url, location }) => ({
          name: functionName,
          url: url || (urls.get(location.scriptId) ?? ''),
          line: location.lineNumber + 1,
          column: location.columnNumber + 1,
        }))
        // Leaving from inside the pause crashes or hangs the thread: the answer is taken a turn later.
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
    write(`the stack of the main loop cannot be read: ${(error as Error).message}`)
    return []
  } finally {
    session.disconnect()
  }
}

function write(line: string): void {
  writeSync(2, `[watchdog] ${line}\n`)
}

/** Waits until the count is another than `last`, and measures since `since`. */
async function untilBeat(last: number, since: number): Promise<number> {
  while (Atomics.load(counter, 0) === last) await new Promise((resolve) => setTimeout(resolve, beat))
  return performance.now() - since
}

let last = Atomics.load(counter, 0)
let since = performance.now()
// Counted in turns of this thread, not in time: a suspended process misses one turn, a blocked loop all of them.
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
  const place = at && placeOf({ ...at, file: pathOf(at.url) ?? at.url }, root)
  write(
    `the main loop is blocked${at ? ` in ${at.name || 'a function'} (${place})` : ', in native code or where no stack is to be had'}`,
  )
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
