// For tests of bots: the kernel's helpers, and a host with chat in it that can be talked to.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter, type EndpointHandle } from '@mynah/plugin-chat/api'
import { definePlugin, HostPaths, type AnyPlugin, type Host, type PluginEntry } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'

export * from '@mynah/kernel/testing'

/** A host under test, with a user who writes to its bot. */
export interface TestBot {
  readonly host: Host
  /** Folder of the host: its database and all other files are in it. */
  readonly folder: string
  /** Writes to the bot in private; the next thing that it says. */
  say(text: string): Promise<string>
  /** Stops the host, and removes its folder unless the test named it. */
  stop(): Promise<void>
}

/** Options of {@link startBot}. */
export interface TestBotOptions {
  /** Folder of the host, which is kept. Default: a new one in the temporary folder of the system. */
  readonly folder?: string
}

/** Returns why a plugin of a started host does not run, if there is one. */
function problemOf(host: Host): Error | undefined {
  const views = host.inspect()
  const failed = views.find(({ error }) => error !== undefined)
  const waiting = views.find(({ waitingFor }) => waitingFor.length > 0)
  if (failed || !waiting) return failed?.error
  return new Error(`the plugin ${waiting.name} waits for ${waiting.waitingFor.join(', and for ')}`)
}

/**
 * Starts a host with chat and these plugins, and opens a private chat with its bot. The host has a folder of its own,
 * so that tests never read or write the data of a real one, also while it runs.
 *
 * @example
 * const { say, stop } = await startBot([greeter])
 * assert.equal(await say('/hello Ada'), 'Hello, Ada!')
 * await stop()
 */
export async function startBot(
  plugins: readonly (PluginEntry | AnyPlugin)[],
  options: TestBotOptions = {},
): Promise<TestBot> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'mynah-bot-')))
  const removeFolder = async (): Promise<void> => {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
  }
  let endpoint: EndpointHandle | undefined
  let count = 0
  const waiting: ((text: string) => void)[] = []
  let online = (): void => {}
  const isOnline = new Promise<void>((resolve) => {
    online = resolve
  })
  const platform = definePlugin({
    name: 'test-platform',
    setup(ctx) {
      ctx.contribute(
        adapters,
        defineAdapter({
          name: 'test',
          acknowledges: 'never',
          create: (own) => ({
            async connect() {
              endpoint = own
              setImmediate(online)
              return { id: 'bot', name: 'Bot' }
            },
            async disconnect() {},
            async send(_, message) {
              waiting.shift()?.(message.text)
              return { messageId: `sent-${++count}` }
            },
          }),
        }),
      )
    },
  })
  const { host } = await startHost(
    [
      {
        plugin: chat as AnyPlugin,
        // People of tests answer at once, and are no automata.
        config: { endpoints: [{ adapter: 'test', id: 'test' }], dispatcher: { loop: { exchanges: 0 } } },
      },
      platform,
      ...plugins,
    ],
    { services: [[HostPaths, { root: folder, data: join(folder, 'data') }]] },
  )
  const stop = async (): Promise<void> => {
    await host.stop()
    await removeFolder()
  }
  const problem = problemOf(host)
  if (problem) {
    await stop()
    throw problem
  }
  await isOnline
  return {
    host,
    folder,
    async say(text) {
      const answer = new Promise<string>((resolve) => waiting.push(resolve))
      const message = {
        id: `said-${++count}`,
        channel: { type: 'private' as const, id: 'tester' },
        sender: { id: 'tester', name: 'Tester' },
        content: text,
      }
      await endpoint?.receive(message)
      return answer
    },
    stop,
  }
}
