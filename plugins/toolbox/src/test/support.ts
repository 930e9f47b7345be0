import { definePlugin, type AnyPlugin, type PluginEntry } from '@mynah/kernel'
import type { TestClock } from '@mynah/kernel/testing'
import { Web, WebError, type WebRequest } from '@mynah/plugin-ai/api'
import { scripted, scriptedModels, type ScriptedModels } from '@mynah/plugin-ai/testing'
import { ChatHost, eachTest as hosts, results as shownResults } from '@mynah/plugin-agent/testing'
import chat from '@mynah/plugin-chat'
import database from '@mynah/plugin-database'
import execSecurity from '@mynah/plugin-exec-security'
import inbox from '@mynah/plugin-inbox'
import toolbox from '../index.js'

export { said, until } from '@mynah/plugin-agent/testing'
export type Script = Parameters<typeof scriptedModels>[0]

/**
 * Returns the results of tools that a request shows, without the level of the sandbox, which depends on the machine.
 */
export const results = (request: Parameters<typeof shownResults>[0]): string[] =>
  shownResults(request).map((text) => text.replace(/\n?\[ran at level \w+\]$/, '') || '[no output]')

export interface Options {
  readonly toolbox?: Record<string, unknown>
  readonly exec?: Record<string, unknown>
  readonly agent?: Record<string, unknown>
  /** Agents by name. */
  readonly agents?: Record<string, unknown>
  readonly database?: boolean
  readonly root?: string
  readonly clock?: TestClock
  readonly plugins?: readonly (AnyPlugin | PluginEntry)[]
}

/** The door to the web, open for servers of this machine. */
const web = definePlugin({
  name: 'test-web',
  provides: [Web],
  setup: (ctx) =>
    void ctx.provide(Web, {
      async fetch(url, { headers, signal, maxBytes = 2 ** 21 }: WebRequest = {}) {
        if (!/^https?:/.test(String(url))) throw new WebError('address', 'Only http and https')
        const response = await fetch(url, { ...(headers ? { headers } : {}), ...(signal ? { signal } : {}) })
        const body = new Uint8Array(await response.arrayBuffer())
        if (body.byteLength > maxBytes) throw new WebError('too-large', `More than ${maxBytes} bytes`)
        return {
          status: response.status,
          url: response.url,
          headers: Object.fromEntries(response.headers),
          mediaType: response.headers.get('content-type')?.split(';')[0] ?? '',
          body,
          cut: false,
          text: () => new TextDecoder().decode(body),
        }
      },
    }),
})

export interface Running {
  readonly host: ChatHost
  readonly models: ScriptedModels
}

async function start(script: Script, options: Options = {}): Promise<Running> {
  const models = scriptedModels(script)
  const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
  const host = await ChatHost.start({
    chat: plain(chat),
    config: {
      ...(options.agent ? { 'ai.agent': options.agent } : {}),
      ...(options.agents ? { 'ai.agents': options.agents } : {}),
    },
    ...(options.root === undefined ? {} : { root: options.root }),
    ...(options.clock ? { clock: options.clock } : {}),
    plugins: [
      ...(options.database ? [plain(database), plain(inbox)] : []),
      plain(scripted(models)),
      plain(web),
      {
        plugin: plain(execSecurity),
        config: {
          'ai.agent.execSecurity': 'allowlist',
          'ai.agent.execApprovalMode': 'ask',
          'ai.agent.execPreset': 'readonly',
          ...options.exec,
        },
      },
      { plugin: plain(toolbox), config: { 'ai.toolbox': options.toolbox ?? {} } },
      ...(options.plugins ?? []),
    ],
  })
  return { host, models }
}

/** Hosts of one test, stopped after it. */
export const eachTest = () => hosts(start)

/** Calls one tool and then answers with `done`. */
export const calling = (name: string, input: unknown): Script => [{ calls: [{ name, input }] }, 'done']
