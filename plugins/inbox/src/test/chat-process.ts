// A host with chat over the durable store, driven through its standard input and output, to be killed at any moment.
// In: a message id a line, or `stop`, which waits until nothing is left to do. Out: `accepted <id>`, `began <id>`,
// `sent <id>`.
import { createInterface } from 'node:readline'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter, middlewares, type Bot, type EndpointHandle } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import inbox from '../index.js'
import { Messages } from '../tables.js'

const data = process.argv[2] ?? ''
const say = (line: string): void => void process.stdout.write(`${line}\n`)
let account: EndpointHandle | undefined

const pipe = definePlugin({
  name: 'adapter-pipe',
  setup(ctx) {
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'pipe',
        acknowledges: 'after-store',
        create: (endpoint): Bot => ({
          async connect() {
            account = endpoint
          },
          disconnect: () => Promise.resolve(),
          async send(_target, { text }) {
            say(`sent ${text}`)
            return { messageId: `out-${text}` }
          },
        }),
      }),
    )
    ctx.contribute(middlewares, {
      name: 'reply',
      async handle(message) {
        say(`began ${message.id}`)
        await message.$reply(message.id)
      },
    })
  },
})

const host = createHost(
  [
    { plugin: database },
    { plugin: inbox },
    { plugin: chat, config: { endpoints: [{ adapter: 'pipe', id: 'one' }] } },
    { plugin: pipe },
  ],
  { services: [[HostPaths, { root: data, data }]] },
)
await host.start()
while (!account) await new Promise((resolve) => setImmediate(resolve))
say('ready')

const delivered: Promise<void>[] = []
for await (const id of createInterface({ input: process.stdin })) {
  if (id === 'stop') break
  delivered.push(
    account.receive({ id, channel: { type: 'private', id: 'ann' }, sender: { id: 'ann' }, content: id }).then(
      () => say(`accepted ${id}`),
      () => say(`refused ${id}`),
    ),
  )
}
await Promise.all(delivered)
// Wait for the recovery of messages that earlier processes left open.
while (
  await host
    .get(Database)
    ?.read((db) => db.count(Messages, { state: { $in: ['received', 'handling', 'intent', 'sending'] } }))
)
  await new Promise((resolve) => setImmediate(resolve))
await host.stop()
process.stdin.destroy()
