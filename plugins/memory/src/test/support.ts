import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { tools, type Tool } from '@mynah/plugin-ai/api'
import { scripted, scriptedModels, type ScriptedModels } from '@mynah/plugin-ai/testing'
import { ChatHost, eachTest as hosts } from '@mynah/plugin-agent/testing'
import chat from '@mynah/plugin-chat'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import memory from '../index.js'

export { results, said, until } from '@mynah/plugin-agent/testing'
export type Script = Parameters<typeof scriptedModels>[0]

export interface Options {
  readonly config?: Record<string, unknown>
  /** Claims of the agent. */
  readonly agent?: Record<string, unknown>
  readonly tools?: readonly Tool[]
  readonly database?: boolean
  readonly root?: string
}
export interface Running {
  readonly host: ChatHost
  readonly models: ScriptedModels
}

/** Returns a folder that a host may begin in. */
export const newRoot = (): Promise<string> => mkdtemp(join(tmpdir(), 'mynah-memory-'))

async function start(script: Script, options: Options = {}): Promise<Running> {
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
    ...(options.agent ? { config: options.agent } : {}),
    ...(options.root === undefined ? {} : { root: options.root }),
    plugins: [
      ...(options.database ? [plain(database), plain(inbox)] : []),
      plain(scripted(models)),
      plain(contributed),
      { plugin: plain(memory), config: { 'ai.memory': {}, ...options.config } },
    ],
  })
  return { host, models }
}

/** Hosts of one test, stopped after it. */
export const eachTest = () => hosts(start)

/** Calls one tool and then answers with `done`. */
export const calling = (name: string, input: unknown): Script => [{ calls: [{ name, input }] }, 'done', 'done', 'done']
