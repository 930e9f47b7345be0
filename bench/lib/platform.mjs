// The platform of the benchmarks: one endpoint whose messages come from the benchmark.
import { definePlugin } from '@mynah/kernel'
import { adapters, defineAdapter, defineCommand, param } from '@mynah/plugin-chat/api'

/** A command that replies with its text. */
export const echo = defineCommand({
  name: 'echo',
  description: 'benchmark',
  args: { text: param.rest() },
  run: ({ args }) => args.text,
})

/** The configuration of the plugin chat with the endpoint. */
export const chatConfig = {
  endpoints: [{ adapter: 'bench', id: 'bench' }],
  // The users of benchmarks answer at once, and are no automata.
  dispatcher: { loop: { exchanges: 0 } },
}

/**
 * Returns the plugin of a platform, and a promise of its endpoint.
 *
 * @param acknowledges when a message is accepted
 * @param send receives the channel and the message of each send
 * @param contribute adds what else the benchmark needs
 */
export function benchPlatform(acknowledges, send, contribute = () => {}) {
  let online
  const endpoint = new Promise((resolve) => {
    online = resolve
  })
  const plugin = definePlugin({
    name: 'bench-platform',
    setup(ctx) {
      const create = (handle) => ({
        async connect() {
          setImmediate(online, handle)
          return { id: 'bot' }
        },
        async disconnect() {},
        send,
      })
      ctx.contribute(adapters, defineAdapter({ name: 'bench', acknowledges, create }))
      contribute(ctx)
    },
  })
  return { plugin, endpoint }
}
