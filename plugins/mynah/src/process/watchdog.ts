import { KernelError, type Host } from '@mynah/kernel'
import { attribute, pathOf, locationOf, type Frame } from './attribution.js'
import type { Blocked, WatchdogData } from './watchdog-data.js'

const LIMIT_MS = 1_000
const BEATS_PER_LIMIT = 4

/**
 * Watches the main loop from a worker thread. While it is blocked, writes the function to stderr; afterwards reports
 * the
 * plugin. The thread and its timer do not keep the process alive.
 *
 * @param options.root folder of the host; locations are relative to it
 * @param options.limit milliseconds without a turn of the loop that count as blocked; default 1,000
 * @returns a function that ends the thread
 */
export async function startWatchdog(
  host: Host,
  { root, limit = LIMIT_MS }: { root: string; limit?: number },
): Promise<() => Promise<void>> {
  // Loaded here, so that a host without a watchdog does not load them.
  const [{ Worker }, { url: debuggerUrl }] = await Promise.all([
    import('node:worker_threads'),
    import('node:inspector'),
  ])
  const beats = new SharedArrayBuffer(4)
  const counter = new Int32Array(beats)
  const beat = limit / BEATS_PER_LIMIT
  // An attached debugger pauses the loop intentionally, and our inspector session would disturb it.
  const workerData: WatchdogData = { beats, limit, beat, inspect: debuggerUrl() === undefined, root }
  const worker = new Worker(new URL('./watchdog-worker.js', import.meta.url), {
    workerData,
    execArgv: [],
    stdout: false,
    stderr: false,
  })
  const timer = setInterval(() => void Atomics.add(counter, 0, 1), beat)
  timer.unref()
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
  })
  worker.on('message', (blocked: Blocked) => report(host, root, blocked))
  worker.on('error', (error) => host.log.warn(`the watchdog failed: ${error.message}`))
  worker.unref()
  return async () => {
    clearInterval(timer)
    await worker.terminate()
  }
}

function report(host: Host, root: string, { ms, frames }: Blocked): void {
  const known = frames
    .map(({ url, line, column, name }): Frame => ({ file: pathOf(url) ?? url, line, column, name }))
    .filter(({ file }) => !file.startsWith('node:'))
  const found = attribute(known, host.inspect())
  const frame = found?.frame ?? known[0]
  const where = frame ? ` in ${frame.name || 'a function'} (${locationOf(frame, root)})` : ''
  const error = new KernelError(
    'host/loop-blocked',
    `the main loop was blocked for ${(ms / 1000).toFixed(1)} s${where}`,
  )
  if (!found || !host.report(found.plugin, error)) host.log.error(error.message, { code: error.code })
}
