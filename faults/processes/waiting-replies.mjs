// A host with a slow platform: commands return at once, their replies wait in the queue.
//
// Arguments: data folder, number of commands or 0, milliseconds of a send. Prints `accepted <n>` for each command,
// `sent <text>` for each sent text, and at the end `row <direction> <state> <text>` for each row. SIGTERM stops it.
import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, commands, defineAdapter, defineCommand, param } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import inbox from '@mynah/plugin-inbox'
import { Messages } from '../../plugins/inbox/dist/tables.js'

const [, , data, count, pause] = process.argv
// Written synchronously: a kill would lose a pending write.
const say = (line) => writeSync(1, `${line}\n`)

let account
const pipe = definePlugin({
  name: 'adapter-pipe',
  setup(ctx) {
    ctx.contribute(
      adapters,
      defineAdapter({
        name: 'pipe',
        acknowledges: 'after-store',
        create: (endpoint) => ({
          async connect() {
            account = endpoint
          },
          disconnect: () => Promise.resolve(),
          async send(_target, { text }) {
            await setTimeout(Number(pause))
            say(`sent ${text}`)
            return { messageId: `out-${text}` }
          },
        }),
      }),
    )
    ctx.contribute(
      commands,
      defineCommand({ name: 'echo', description: 'echo', args: { text: param.rest() }, run: ({ args }) => args.text }),
    )
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
let stopping = false
process.on('SIGTERM', () => {
  stopping = true
  void host.stop().then(() => process.exit(0))
})
while (!account) await new Promise((resolve) => setImmediate(resolve))
for (let index = 0; index < Number(count); index++) {
  await account.receive({
    id: `m${index}`,
    channel: { type: 'private', id: 'ann' },
    sender: { id: 'ann' },
    content: `/echo a${index}`,
  })
  say(`accepted ${index}`)
}
const busy = () =>
  host.get(Database).read((db) => db.count(Messages, { state: { $in: ['received', 'handling', 'intent', 'sending'] } }))
while (!stopping && (await busy())) await setTimeout(5)
if (!stopping) {
  for (const { direction, state, text } of await host.get(Database).read((db) => db.find(Messages)))
    say(`row ${direction} ${state} ${text}`)
  await host.stop()
}
