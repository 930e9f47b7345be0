// For the tests of entries: a host with a real server and a folder of built modules.
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConsoleEntry } from '@mynah/contract'
import { definePlugin, type Host, type PluginEntry } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import consoleRpc from '@mynah/plugin-console-rpc'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import { consoleEntries, type ConsoleEntrySource } from '../api.js'
import entries from '../index.js'

export const TOKEN = 'full-token-of-the-entries-tests'
export const ORIGIN = 'http://console.example'

/** Returns a plugin that contributes entries. */
export const pages = (...sources: ConsoleEntrySource[]) =>
  definePlugin({
    name: 'pages',
    version: '4.5.6',
    setup(ctx) {
      for (const source of sources) ctx.contribute(consoleEntries, source)
    },
  })

export interface Running {
  readonly host: Host
  readonly origin: string
  readonly log: { readonly level: string; readonly message: string }[]
}

export async function startEntries(...plugins: PluginEntry['plugin'][]): Promise<Running> {
  const http = { plugin: httpCore, config: { port: 0, token: TOKEN, corsOrigins: [ORIGIN] } }
  const { host, log } = await startHost([
    http,
    { plugin: events },
    { plugin: consoleRpc },
    { plugin: entries },
    ...plugins.map((plugin) => ({ plugin })),
  ] as never)
  return { host, log, origin: (host.get(Http) as { origin: string }).origin }
}

export const list = async (origin: string): Promise<ConsoleEntry[]> =>
  ((await (await fetch(`${origin}/entries`)).json()) as { entries: ConsoleEntry[] }).entries

/** Returns an empty folder and how to remove it. */
export async function folder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'mynah-entries-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Asks for a path exactly as written, which `fetch` would tidy up. */
export function ask(origin: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response
        .on('error', reject)
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on('error', reject).end()
  })
}
