// A host with chat over the durable store, whose commands note that they ran.
//
// Options: `folder`; `url` of PostgreSQL, else SQLite; `commands` to receive, named `<name>-0`, `<name>-1`, …, from so
// many `people`, with `everyMs` between them; `notices` to send by key while the endpoint is `offline`; `holds`:
// commands never end; `readMs`, `runMs` and `sendMs`: how long each read of the store, command and sending takes. The
// platform repeats what was not accepted. Says `ready`, `accepted <id>`, `ran <id>`, `sent <text>`, `received` after
// the last message, its rows and `settled`. SIGTERM stops it.
import { setTimeout } from 'node:timers/promises'
import { Chat, commands, defineCommand, param } from '@mynah/plugin-chat/api'
import { Database } from '@mynah/plugin-database/api'
import { Store } from '../../plugins/database/dist/store/store.js'
import { Messages } from '../../plugins/inbox/dist/tables.js'
import { hasOpenRows, options, Platform, sayRows, startChat, whileBusy } from '../lib/host.mjs'
import { say } from '../lib/say.mjs'

const { folder, url, name = 'c', people = 5, everyMs = 0, notices = 0, offline, holds } = options
const { commands: count = 0, readMs = 0, runMs = 0, sendMs = 2 } = options
const SETTLED_MS = 120_000

if (readMs > 0) {
  const { read } = Store.prototype
  Store.prototype.read = async function (...parameters) {
    await setTimeout(readMs / 2)
    const result = await read.apply(this, parameters)
    await setTimeout(readMs / 2)
    return result
  }
}

const work = defineCommand({
  name: 'do',
  description: 'does it',
  args: { id: param.rest() },
  async run({ args }) {
    if (holds) return new Promise(() => {})
    if (runMs > 0) await setTimeout(runMs)
    say(`ran ${args.id}`)
    return args.id
  },
})
const platform = new Platform(
  {
    async connect() {
      if (offline) throw new Error('offline')
    },
    async send(_target, { text }) {
      await setTimeout(sendMs)
      say(`sent ${text}`)
      return { messageId: `out-${text}` }
    },
  },
  (ctx) => ctx.contribute(commands, work),
)
const host = await startChat({ folder, url, platform })
let stopping
// The process ends by a signal only.
setInterval(() => {}, 1_000)
process.on('SIGTERM', () => {
  stopping ??= host.stop().then(() => process.exit(0))
})
say('ready')

async function receive(id, person) {
  for (;;) {
    try {
      await platform.hear(id, person, `/do ${id}`)
      return say(`accepted ${id}`)
    } catch {
      if (stopping) return
      await setTimeout(200)
    }
  }
}
const receiving = []
for (let index = 0; index < count; index++) {
  const next = receive(`${name}-${index}`, `person${index % people}`)
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
const waiting = { direction: 'out', state: 'intent' }
while (notices && (await host.get(Database).read((db) => db.count(Messages, waiting))) < notices) await setTimeout(10)
say('received')

if (!holds && !offline) await whileBusy(async () => !stopping && hasOpenRows(host).catch(() => true), SETTLED_MS)
if (!stopping && !holds && !offline) {
  await sayRows(host)
  say('settled')
}
