// For tests of bots: the kernel's helpers, and a host with chat in it that can be talked to.
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter, type EndpointHandle } from '@mynah/plugin-chat/api'
import { definePlugin, type AnyPlugin, type Host, type PluginEntry } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'

export * from '@mynah/kernel/testing'

/** A host under test, with a user who writes to its bot. */
export interface TestBot {
  readonly host: Host
  /** Writes to the bot in private; the next thing that it says. */
  say(text: string): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts a host with chat and these plugins, and opens a private chat with its bot.
 *
 * @example
 * const { say, stop } = await startBot([greeter])
 * assert.equal(await say('/hello Ada'), 'Hello, Ada!')
 * await stop()
 */
export async function startBot(plugins: readonly (PluginEntry | AnyPlugin)[]): Promise<TestBot> {
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
  const { host } = await startHost([
    { plugin: chat as AnyPlugin, config: { endpoints: [{ adapter: 'test', id: 'test' }] } },
    platform,
    ...plugins,
  ])
  const failed = host.inspect().find(({ error }) => error !== undefined)
  if (failed) {
    await host.stop()
    throw failed.error
  }
  await isOnline
  return {
    host,
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
    stop: () => host.stop(),
  }
}
