import type { AnyPlugin, PluginEntry } from '@mynah/kernel'
import { definePlugin } from '@mynah/kernel'
import { tools, type ModelRequest, type Tool } from '@mynah/plugin-ai/api'
import { scripted, scriptedModels, type ScriptedAnswer, type ScriptedModels } from '@mynah/plugin-ai/testing'
import { ChatHost, said, eachTest as hosts } from '@mynah/plugin-agent/testing'
import chat from '@mynah/plugin-chat'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import tasks from '../index.js'

export { results, said, until } from '@mynah/plugin-agent/testing'

type Answers = readonly (string | ScriptedAnswer)[]
export interface Options {
  /** Configuration of the agent. */
  readonly agent?: Record<string, unknown>
  readonly config?: Record<string, unknown>
  readonly tools?: readonly Tool[]
  readonly database?: boolean
  readonly root?: string
  readonly plugins?: readonly (AnyPlugin | PluginEntry)[]
  /** Plugins that start after the agent. */
  readonly later?: readonly (AnyPlugin | PluginEntry)[]
}
export interface Running {
  readonly host: ChatHost
  readonly models: ScriptedModels
}

/** Returns whether a request comes from a sub-agent. */
export const byWorker = (request: ModelRequest): boolean =>
  said(request)[0]?.includes('worker of an assistant') === true

/** Scripts the answers of the main agent and of its sub-agents, each in order. */
export function both(
  main: Answers,
  workers: Answers | ((request: ModelRequest, index: number) => string | ScriptedAnswer),
) {
  let mains = 0
  let worked = 0
  return (request: ModelRequest): string | ScriptedAnswer => {
    if (byWorker(request))
      return typeof workers === 'function'
        ? workers(request, worked++)
        : (workers[worked++] ?? 'nothing left for workers')
    return main[mains++] ?? 'nothing left'
  }
}

async function start(script: Parameters<typeof scriptedModels>[0], options: Options = {}): Promise<Running> {
  const models = scriptedModels(script)
  const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
  const contributed = definePlugin({
    name: 'test-tools',
    setup: (ctx) => {
      for (const tool of options.tools ?? []) ctx.contribute(tools, tool)
    },
  })
  const host = await ChatHost.start({
    chat: plain(chat),
    ...(options.later ? { later: options.later } : {}),
    ...(options.agent ? { config: options.agent } : {}),
    ...(options.root === undefined ? {} : { root: options.root }),
    plugins: [
      ...(options.database ? [plain(database), plain(inbox)] : []),
      plain(scripted(models)),
      plain(contributed),
      { plugin: plain(tasks), config: options.config ?? {} },
      ...(options.plugins ?? []),
    ],
  })
  return { host, models }
}

/** Starts hosts that are stopped after each test. */
export const eachTest = () => hosts(start)
