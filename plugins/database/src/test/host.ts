// A whole host for tests: HTTP, the console RPC and the database, called as a console calls it.
import { join } from 'node:path'
import {
  definePlugin,
  HostPaths,
  type AnyPlugin,
  type HostOptions,
  type LogRecord,
  type Plugin,
  type PluginEntry,
} from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import consoleRpc from '@mynah/plugin-console-rpc'
import httpCore from '@mynah/plugin-http-core'
import { Http, readinessChecks, type ReadinessCheck } from '@mynah/plugin-http-core/api'
import { Database, entities, entity } from '../api.js'
import database from '../index.js'
import { folder, Items } from '../testing/fixture.js'

const TOKEN = 'a-token-for-the-tests-of-the-database'

interface Secret {
  readonly id: string
  readonly text: string
}
/** A table that belongs to a package of the project. */
export const Own = entity<Secret>({
  package: '@mynah/plugin-own',
  name: 'own',
  columns: { id: { type: 'text', primary: true }, text: { type: 'text' } },
})

/** Contributes two tables and opens a store of each kind. */
export const tables = definePlugin({
  name: 'tables',
  needs: { database: Database },
  setup(ctx) {
    ctx.contribute(entities, Items)
    ctx.contribute(entities, Own)
    ctx.database.documents('notes')
    ctx.database.kv('settings')
    ctx.database.kv('own-settings', { package: '@mynah/plugin-own' })
  },
})

export interface Reply {
  readonly status: number
  readonly success: boolean
  readonly data?: Record<string, unknown>
  readonly error?: string
  readonly code?: string
}

export interface ActiveTransaction {
  readonly host: Awaited<ReturnType<typeof startHost>>['host']
  readonly log: LogRecord[]
  readonly data: string
  readonly file: string
  rpc(type: string, params?: Record<string, unknown>): Promise<Reply>
  /** Returns the reason of the readiness check of the database. */
  readiness(): Promise<string | undefined>
  stop(): Promise<void>
}

const running = new Set<{ stop(): Promise<void> }>()

// A failed test must not leave its host behind.
after(async () => {
  for (const host of running) await host.stop()
})

/** Starts a host on a data directory, a new one unless `data` names it. */
export async function run(
  section: Record<string, unknown> = {},
  options: {
    readonly data?: string
    readonly plugins?: readonly (AnyPlugin | Plugin<never, never>)[]
    readonly services?: HostOptions['services']
  } = {},
): Promise<ActiveTransaction> {
  const home = options.data === undefined ? await folder() : { path: options.data, remove: () => Promise.resolve() }
  let checks: () => readonly { readonly value: ReadinessCheck }[] = () => []
  const observer = definePlugin({
    name: 'observer',
    setup(ctx) {
      const reader = ctx.read(readinessChecks)
      checks = () => reader.all()
    },
  })
  const entries: PluginEntry[] = [
    { plugin: observer },
    { plugin: httpCore, config: { port: 0, token: TOKEN } },
    { plugin: consoleRpc },
    { plugin: database, config: section },
    ...(options.plugins ?? [tables]).map((plugin) => ({ plugin })),
  ]
  const { host, log } = await startHost(entries, {
    services: [[HostPaths, { root: home.path, data: home.path }], ...(options.services ?? [])],
  })
  running.add(host)
  const call = async (path: string, body?: unknown) => {
    const response = await fetch(`${host.get(Http)?.origin}/api${path}`, {
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    host,
    log,
    data: home.path,
    file: join(home.path, 'mynah.sqlite'),
    async rpc(type, params = {}) {
      const { status, body } = await call('/console/request', { ...params, type })
      return { status, ...body } as Reply
    },
    readiness: async () =>
      (
        await checks()
          .find(({ value }) => value.name === 'database')
          ?.value.check()
      )?.status,
    async stop() {
      await host.stop()
      running.delete(host)
      await home.remove()
    },
  }
}
