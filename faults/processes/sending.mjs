// A host with chat over the durable store that kills itself at one step of sending an answer.
//
// Arguments: data folder, step or `none`, id of a message to receive or `-`. Prints `sent <text>` for each sent text.
import { writeSync } from 'node:fs'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter, middlewares } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import inbox from '@mynah/plugin-inbox'
import { DatabaseMessageStore } from '../../plugins/inbox/dist/store.js'
import { Messages } from '../../plugins/inbox/dist/tables.js'

const [, , data, step, id] = process.argv
// Written synchronously: a kill would lose a pending write.
const say = (line) => writeSync(1, `${line}\n`)
const at = (here) => {
  if (here === step) process.kill(process.pid, 'SIGKILL')
}

/** Kills before or after a step of the store. */
function around(method, before, after) {
  const original = DatabaseMessageStore.prototype[method]
  DatabaseMessageStore.prototype[method] = async function (...args) {
    at(before)
    const result = await original.apply(this, args)
    at(after)
    return result
  }
}
around('addIntent', 'before the intent', 'after the intent')
around('startSending', 'before it is marked', 'after it is marked')
around('finishSending', 'before the receipt', 'after the receipt')

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
            at('before the platform has it')
            say(`sent ${text}`)
            at('after the platform has it')
            return { messageId: `out-${text}` }
          },
        }),
      }),
    )
    ctx.contribute(middlewares, { name: 'reply', handle: (message) => message.$reply(message.id) })
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
if (id !== '-')
  await account.receive({ id, channel: { type: 'private', id: 'ann' }, sender: { id: 'ann' }, content: id })
const busy = () =>
  host.get(Database).read((db) => db.count(Messages, { state: { $in: ['received', 'handling', 'intent', 'sending'] } }))
while (await busy()) await new Promise((resolve) => setImmediate(resolve))
for (const { direction, state, text } of await host.get(Database).read((db) => db.find(Messages)))
  say(`${direction} ${state} ${text}`)
await host.stop()
