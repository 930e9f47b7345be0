import type { JobNotify } from '@mynah/contract/types'
import type { JobActionKind, JobCall, NewJob } from '../api.js'
import { Engine } from '../engine/engine.js'
import { RunCounters } from '../engine/run-counters.js'
import type { JobStore } from '../store/types.js'
import { until, WallClock } from './support.js'

/** Returns a job that is due each minute. */
export const scheduled = (more: Partial<NewJob> = {}): NewJob => ({
  id: 'job',
  trigger: { kind: 'schedule', schedule: { cron: '* * * * *' } },
  action: { kind: 'agent', prompt: 'x' },
  notify: { channel: 'silent' },
  creator: { kind: 'console' },
  ...more,
})

/** Returns a store with some methods replaced. */
const withMethods = (store: JobStore, methods: Partial<JobStore>): JobStore =>
  new Proxy(store, {
    get(_, name: keyof JobStore) {
      const own = methods[name] ?? store[name]
      return typeof own === 'function' ? own.bind(store) : own
    },
  })

/** Engines that share a store, and what they did. */
export class Engines {
  readonly clock = new WallClock()
  readonly ran: string[] = []
  readonly sent: string[] = []
  readonly counters = new RunCounters()
  action: (call: JobCall) => Promise<string> = () => Promise.resolve('done')
  readonly #control = new AbortController()
  readonly #engines: Engine[] = []

  constructor(readonly store: JobStore) {}

  /** @param changed replaces methods of the store for this engine */
  async start(changed: (store: JobStore) => Partial<JobStore> = () => ({})): Promise<Engine> {
    const store = withMethods(this.store, changed(this.store))
    const kind = {
      kind: 'agent',
      run: async (_: unknown, call: JobCall) => {
        this.ran.push(call.runId)
        return { text: await this.action(call) }
      },
    } as unknown as JobActionKind
    const engine = new Engine(
      {
        store,
        clock: this.clock,
        log: { debug() {}, info() {}, warn() {}, error() {} },
        signal: this.#control.signal,
        settings: { concurrency: 4, runTimeoutMs: 0, timezone: 'UTC' },
        counters: this.counters,
        collaborators: {
          locale: 'en',
          redact: (text) => text,
          rolesOf: () => new Set(['user'] as const),
          approvals: () => undefined,
          owner: () => undefined,
          action: () => kind,
          notifier: (channel: JobNotify['channel']) => ({
            channel,
            send: (_, { text }) => Promise.resolve(void this.sent.push(text)),
          }),
          checkAction() {},
        },
      },
      () => {},
    )
    await engine.load()
    engine.start()
    this.#engines.push(engine)
    return engine
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms)
    for (const engine of this.#engines) {
      await engine.slotsTaken()
      await until(() => !engine.index.ids().some((id) => engine.runner.pool.isBusy(id)))
    }
  }

  async stop(): Promise<void> {
    this.#control.abort()
    for (const engine of this.#engines) await engine.stop()
    for (const engine of this.#engines) await engine.runner.idle()
  }
}
