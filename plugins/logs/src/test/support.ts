// A host with the log, its lines in memory or in a database file, and a plugin that says what a test tells it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, HostPaths, type AnyPlugin, type Host, type Logger, type LogRecord } from '@mynah/kernel'
import { startHost, TestClock } from '@mynah/kernel/testing'
import type { LogEntry } from '@mynah/contract/types'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/database-api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import logs from '../index.js'

const TOKEN = 'full-token-of-log-tests'

interface Reply {
  readonly status: number
  readonly success: boolean
  readonly data: never
  readonly code?: string
  readonly details?: { path: string }[]
}

export interface Logging {
  readonly host: Host
  readonly clock: TestClock
  readonly lines: LogRecord[]
  /** The log of the plugin `speaker`. */
  readonly say: Logger
  readonly other: Logger
  call(path: string, options?: { method?: string; body?: unknown }): Promise<Reply>
  /** Returns the messages of `speaker` and `other` that a query finds. */
  find(query?: string): Promise<string[]>
  list(query?: string): Promise<LogEntry[]>
  stop(): Promise<void>
}

export type Kind = 'memory' | 'sqlite'

export async function open(kind: Kind, plugins: readonly AnyPlugin[] = []): Promise<Logging> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-logs-'))
  const clock = new TestClock()
  const voices: Logger[] = []
  const speaker = (name: string) => ({
    plugin: definePlugin({
      name,
      setup(ctx) {
        voices.push(ctx.log)
      },
    }) as unknown as AnyPlugin,
  })
  const { host, log } = await startHost(
    [
      {
        plugin: definePlugin({
          name: 'early',
          setup(ctx) {
            ctx.log.info('said while others started')
          },
        }) as unknown as AnyPlugin,
      },
      { plugin: httpCore as unknown as AnyPlugin, config: { port: 0, token: TOKEN } },
      ...(kind === 'sqlite' ? [{ plugin: database as unknown as AnyPlugin, config: {} }] : []),
      { plugin: logs as unknown as AnyPlugin },
      speaker('speaker'),
      speaker('other'),
      ...plugins,
    ],
    { clock, services: [[HostPaths, { root: folder, data: folder }]] },
  )
  if (kind === 'sqlite' && !host.get(Database)) throw new Error('the database did not start')
  const call = async (
    path: string,
    { method = 'GET', body }: { method?: string; body?: unknown } = {},
  ): Promise<Reply> => {
    const response = await fetch(`${host.get(Http)?.origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, ...((await response.json()) as { success: boolean; data: never }) }
  }
  const list = async (query = ''): Promise<LogEntry[]> => (await call(`/logs?limit=1000${query}`)).data
  return {
    host,
    clock,
    lines: log,
    say: voices[0] as Logger,
    other: voices[1] as Logger,
    call,
    list,
    find: async (query) =>
      (await list(query)).filter(({ name }) => name === 'speaker' || name === 'other').map(({ message }) => message),
    async stop() {
      await host.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
