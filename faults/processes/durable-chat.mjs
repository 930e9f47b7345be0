// A host with chat over the durable store, whose commands note that they ran.
//
// Options: `data` folder; `url` of PostgreSQL, else SQLite; `commands` to receive, named `<name>-0`, `<name>-1`, …,
// with `everyMs` between them; `notices` to send by key while the endpoint is `offline`; `holds`: commands never end;
// `readMs`, `runMs` and `sendMs`: how long each read of the store, command and sending takes. The platform repeats what
// was not accepted.
// Says `accepted <id>`, `ran <id>`, `sent <text>`, and after `settled` each row as `row - <direction> <state> <id>`.
// SIGTERM stops it.
import { setTimeout } from 'node:timers/promises'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, Chat, commands, defineAdapter, defineCommand, param } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import inbox from '@mynah/plugin-inbox'
import { Store } from '../../plugins/database/dist/store/store.js'
import { Messages } from '../../plugins/inbox/dist/tables.js'
import { say } from '../lib/say.mjs'

const options = JSON.parse(process.argv[2])
const {
  data,
  url,
  commands: count = 0,
  name = 'c',
  everyMs = 0,
  notices = 0,
  offline,
  holds,
  readMs = 0,
  runMs = 0,
  sendMs = 2,
} = options
const SETTLED_MS = 45_000
const PEOPLE = 5

if (readMs > 0) {
  const { read } = Store.prototype
  Store.prototype.read = async function (...parameters) {
    await setTimeout(readMs / 2)
    const result = await read.apply(this, parameters)
    await setTimeout(readMs / 2)
    return result
  }
}

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
            if (offline) throw new Error('offline')
          },
          disconnect: () => Promise.resolve(),
          async send(_target, { text }) {
            await setTimeout(sendMs)
            say(`sent ${text}`)
            return { messageId: `out-${text}` }
          },
        }),
      }),
    )
    ctx.contribute(
      commands,
      defineCommand({
        name: 'do',
        description: 'does it',
        args: { id: param.rest() },
        async run({ args }) {
          if (holds) return new Promise(() => {})
          await setTimeout(runMs)
          say(`ran ${args.id}`)
          return args.id
        },
      }),
    )
  },
})

const host = createHost(
  [
    { plugin: database, config: url ? { type: 'postgres', url } : {} },
    { plugin: inbox },
    { plugin: chat, config: { endpoints: [{ adapter: 'pipe', id: 'one' }] } },
    { plugin: pipe },
  ],
  { services: [[HostPaths, { root: data, data }]] },
)
await host.start()
let stopping
// The process ends by a signal only.
setInterval(() => {}, 1_000)
process.on('SIGTERM', () => {
  stopping ??= host.stop().then(() => process.exit(0))
})
while (!account) await setTimeout(2)
say('ready')

async function receive(id, person) {
  const message = { id, channel: { type: 'private', id: person }, sender: { id: person }, content: `/do ${id}` }
  for (;;) {
    try {
      await account.receive(message)
      return say(`accepted ${id}`)
    } catch {
      if (stopping) return
      await setTimeout(200)
    }
  }
}
const receiving = []
for (let index = 0; index < count; index++) {
  const next = receive(`${name}-${index}`, `person${index % PEOPLE}`)
  receiving.push(next)
  if (everyMs > 0) await setTimeout(everyMs)
  else if (index % 50 === 49) await next
}
await Promise.all(receiving)
for (let index = 0; index < notices; index++) {
  const key = `${name}-${index}`
  void host
    .get(Chat)
    .send('pipe', 'one', { type: 'private', id: 'ann' }, key, { key })
    .catch(() => {})
}
const store = host.get(Database)
const isOpen = { state: { $in: ['received', 'handling', 'draft', 'intent', 'sending'] } }
const isIntent = { direction: 'out', state: 'intent' }
while (notices && (await store.read((db) => db.count(Messages, isIntent))) < notices) await setTimeout(10)
say('received')

const until = Date.now() + SETTLED_MS
const busy = () => store.read((db) => db.count(Messages, isOpen)).catch(() => 1)
while (!stopping && !holds && !offline && Date.now() < until && (await busy())) await setTimeout(10)
if (!stopping && !holds && !offline) {
  for (const { direction, state, text } of await store.read((db) => db.find(Messages)))
    say(`row - ${direction} ${state} ${text.replace(/^\/do /, '')}`)
  say('settled')
}
