// Helpers for tests of hosts and plugins.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Clock } from './base/clock.js'
import type { LogRecord } from './base/log.js'
import type { HostOptions, PluginEntry } from './core/entry.js'
import type { Host } from './core/host.js'
import type { AnyPlugin } from './core/plugin.js'
import { createHost } from './create-host.js'

interface Timer {
  at: number
  readonly every: number | undefined
  readonly callback: () => void
}

/** A clock that only {@link TestClock.advance} moves. */
export class TestClock implements Clock {
  #now: number
  readonly #timers = new Set<Timer>()

  constructor(now = 1_767_225_600_000) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  setTimeout(callback: () => void, ms: number): () => void {
    return this.#add({ at: this.#now + ms, every: undefined, callback })
  }

  setInterval(callback: () => void, ms: number): () => void {
    return this.#add({ at: this.#now + ms, every: ms, callback })
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Number of timers that have not fired. */
  get pending(): number {
    return this.#timers.size
  }

  /** Moves time forward and fires due timers in order. Lets promises run in between. */
  async advance(ms: number): Promise<void> {
    await flush()
    const until = this.#now + ms
    for (;;) {
      const due = Array.from(this.#timers)
        .filter((timer) => timer.at <= until)
        .sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#now = Math.max(this.#now, due.at)
      if (due.every === undefined) this.#timers.delete(due)
      else due.at += Math.max(1, due.every)
      due.callback()
      await flush()
    }
    this.#now = until
    await flush()
  }
}

/** Resolves after all callbacks that are ready have run. */
export async function flush(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A started host and its log. The test has to stop it. */
export interface TestHost {
  readonly host: Host
  readonly log: LogRecord[]
}

/** Starts a host from plugins or entries, and collects its log. */
export async function startHost(
  plugins: readonly (PluginEntry | AnyPlugin)[],
  options: Omit<HostOptions, 'log'> = {},
): Promise<TestHost> {
  const log: LogRecord[] = []
  const entries = plugins.map((plugin): PluginEntry => ('plugin' in plugin ? plugin : { plugin }))
  const host = await createHost(entries, { ...options, log: (record) => void log.push(record) }).start()
  return { host, log }
}

/** Enough for a busy machine, and shorter than the timeout of a test. */
const TIMEOUT_MS = 45_000
const POLL_MS = 2

/**
 * Waits until a condition holds.
 *
 * @param what the condition in words, for the error; default: its source text
 * @param timeoutMs time after which it rejects, in milliseconds
 * @throws Error on a timeout
 */
export async function until(
  condition: () => unknown,
  what: string | (() => string) = String(condition),
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > end)
      throw new Error(`timed out waiting for ${(typeof what === 'string' ? what : what()).slice(0, 1_000)}`)
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
  }
}

/** Below the ports that a system gives to outgoing connections, which would take a port while its server restarts. */
const PORTS = { first: 20_000, count: 12_000 }
const MAX_TRIES = 100

const returnedPorts = new Set<number>()

/** Returns a free port of this machine, each once. Another process may take it before the caller does. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count)
    // One that was returned before may not be in use yet.
    if (returnedPorts.has(port) || !(await isFree(port))) continue
    returnedPorts.add(port)
    return port
  }
  throw new Error('no port of this machine is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}

/** The part of mocha's context that {@link skipBecause} needs. */
export interface SkippedContext {
  runnable(): {
    title: string
    readonly type?: string
    readonly parent?: { eachTest(change: (test: { title: string }) => void): unknown } | undefined
  }
  skip(): never
}

/** Skips the current test of mocha, or all tests of the current hook, with the reason in their titles. */
export function skipBecause(context: SkippedContext, reason = 'it does not work here'): never {
  const add = (test: { title: string }): void => void (test.title += ` – skipped: ${reason}`)
  const runnable = context.runnable()
  if (runnable.type === 'hook') runnable.parent?.eachTest(add)
  else add(runnable)
  return context.skip()
}
