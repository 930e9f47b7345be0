import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { Web, WebError, type WebRequest } from '@mynah/plugin-ai/api'
import { scripted, scriptedModels, type ScriptedModels } from '@mynah/plugin-ai/testing'
import { ChatHost, eachTest as hosts } from '@mynah/plugin-agent/testing'
import chat from '@mynah/plugin-chat'
import database from '@mynah/plugin-database'
import execSecurity from '@mynah/plugin-exec-security'
import inbox from '@mynah/plugin-inbox'
import skills from '../index.js'

export { results, said, until } from '@mynah/plugin-agent/testing'
export type Script = Parameters<typeof scriptedModels>[0]
export interface Options {
  readonly files?: Readonly<Record<string, string>>
  readonly agent?: Record<string, unknown>
  readonly database?: boolean
  /** Whether the owner is asked by the service of approvals. */
  readonly approvals?: boolean
  readonly root?: string
}
export interface Running {
  readonly host: ChatHost
  readonly models: ScriptedModels
}

/** Writes a file below a folder. */
export async function put(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

/** Returns the text of a skill file. */
export const skill = (name: string, description: string, body = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`

/** The door to the web, open for servers of this machine. */
const web = definePlugin({
  name: 'test-web',
  provides: [Web],
  setup: (ctx) =>
    void ctx.provide(Web, {
      async fetch(url, { signal, maxBytes = 2 ** 21 }: WebRequest = {}) {
        const response = await fetch(url, signal ? { signal } : {})
        const body = new Uint8Array(await response.arrayBuffer())
        if (body.byteLength > maxBytes) throw new WebError('too-large', `More than ${maxBytes} bytes`)
        return {
          status: response.status,
          url: response.url,
          headers: {},
          mediaType: 'text/markdown',
          body,
          cut: false,
          text: () => new TextDecoder().decode(body),
        }
      },
    }),
})

async function start(
  script: Script,
  { files = {}, agent, approvals, database: durable, root = '' }: Options = {},
): Promise<Running> {
  const folder = root || (await mkdtemp(join(tmpdir(), 'mynah-skills-')))
  for (const [path, text] of Object.entries(files)) await put(folder, path, text)
  const models = scriptedModels(script)
  const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
  const host = await ChatHost.start({
    chat: plain(chat),
    root: folder,
    ...(agent ? { config: { 'ai.agent': agent } } : {}),
    plugins: [
      ...(durable ? [plain(database), plain(inbox)] : []),
      plain(scripted(models)),
      plain(web),
      ...(approvals
        ? [
            {
              plugin: plain(execSecurity),
              config: { 'ai.agent.execSecurity': 'deny', 'ai.agent.execApprovalMode': 'ask' },
            },
          ]
        : []),
      { plugin: plain(skills), config: { 'ai.skills': {} } },
    ],
  })
  return { host, models }
}

/** Hosts of one test, stopped after it. */
export const eachTest = () => hosts(start)

export const calling = (name: string, input: unknown): Script => [{ calls: [{ name, input }] }, 'done', 'done', 'done']
