// Starts hosts with jobs for tests of plugins.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  definePlugin,
  HostPaths,
  type AnyPlugin,
  type BaseContext,
  type Host,
  type LogRecord,
  type PluginEntry,
} from '@mynah/kernel'
import { startHost, TestClock, until } from '@mynah/kernel/testing'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { jobAction, jobActions, Jobs, type JobCall, type JobResult } from './api.js'

export { until }

export interface JobHostOptions {
  /** `false` starts a host without a database. */
  readonly database?: boolean
  /** Data folder of an earlier host. */
  readonly data?: string
  /** The agent's action. `false` starts a host without one. */
  readonly agent?: false | ((prompt: string, call: JobCall) => Promise<string | JobResult> | string | JobResult)
  readonly setup?: (ctx: BaseContext<unknown>) => void
}

/** A host with a server, a database, and an agent that records its calls. */
export class JobHost<C extends TestClock = TestClock> {
  readonly calls: (JobCall & { readonly prompt: string })[] = []
  host!: Host
  log: LogRecord[] = []
  data = ''
  #ownsData = true

  /** @param token bearer token of the server */
  constructor(
    readonly clock: C,
    private readonly token: string,
  ) {}

  get jobs(): Jobs {
    return this.host.get(Jobs) as Jobs
  }

  /** Starts the host. `entries` returns the plugins that start after those of the host, among them this one. */
  protected async startHost(
    { data, database: withDatabase = true, agent, setup }: JobHostOptions,
    entries: (data: string) => readonly unknown[],
  ): Promise<void> {
    this.#ownsData = data === undefined
    this.data = data ?? (await mkdtemp(join(tmpdir(), 'mynah-jobs-')))
    const helper = definePlugin({
      name: 'helper',
      setup: (ctx) => {
        if (agent !== false)
          ctx.contribute(
            jobActions,
            jobAction<'agent'>({
              kind: 'agent',
              run: async ({ prompt }, call) => {
                this.calls.push({ ...call, prompt })
                const result = (await agent?.(prompt, call)) ?? `done: ${prompt}`
                return typeof result === 'string' ? { text: result } : result
              },
            }),
          )
        setup?.(ctx as BaseContext<unknown>)
      },
    })
    const all = [
      { plugin: httpCore, config: { port: 0, token: this.token } },
      { plugin: consoleRpc },
      { plugin: events },
      ...(withDatabase ? [{ plugin: database }] : []),
      { plugin: helper as unknown as AnyPlugin },
      ...entries(this.data),
    ] as unknown as PluginEntry[]
    const { host, log } = await startHost(all as never, {
      clock: this.clock,
      services: [[HostPaths, { root: this.data, data: this.data }]] as never,
    })
    this.host = host
    this.log = log
  }

  /** Stops the host. Removes its data folder unless `keep` is set or an earlier host created it. */
  async stop(keep = false): Promise<void> {
    await this.host.stop()
    if (!keep && this.#ownsData) await rm(this.data, { recursive: true, force: true })
  }
}

/** Stops hosts after each test. Returns a function that starts one. */
export function stopAfterEach<O, H extends { stop(): Promise<void> }>(
  start: (options: O) => Promise<H>,
): (options: O) => Promise<H> {
  const running: H[] = []
  afterEach(async () => {
    for (const host of running.splice(0)) await host.stop()
  })
  return async (options) => {
    const host = await start(options)
    running.push(host)
    return host
  }
}
