// A host whose agent answers in one message that grows. It kills itself at one step of that, or after some time.
//
// Options: `folder`; `step` or `none`; `afterMs` until a kill; `asks`: whether the question comes; `stops`: whether the
// user stops the answer as soon as the host runs. The folder has the calls of the platform, which survive a kill.
// A life that is not killed says a report as one line of JSON.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import agent from '@mynah/plugin-agent'
import { Agent } from '@mynah/plugin-agent/api'
import { scripted, scriptedModels } from '@mynah/plugin-ai/testing'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import inbox from '@mynah/plugin-inbox'
import { DatabaseSessions } from '../../plugins/agent/dist/session/database-store.js'
import { DatabaseMessageStore } from '../../plugins/inbox/dist/store.js'
import { Messages } from '../../plugins/inbox/dist/tables.js'
import { say } from '../lib/say.mjs'

const { folder, step, afterMs, asks, stops } = JSON.parse(process.argv[2])
const ANSWER = 'one two three four'
const WORD_MS = 350
const SETTLED_MS = 30_000

const die = () => process.kill(process.pid, 'SIGKILL')
const at = (here) => {
  if (here === step) die()
}

/** Kills before or after a step of a store. */
function around(prototype, method, name, which = () => true) {
  const original = prototype[method]
  prototype[method] = async function (...parameters) {
    const counts = which(...parameters)
    if (counts) at(`before ${name}`)
    const result = await original.apply(this, parameters)
    if (counts) at(`after ${name}`)
    return result
  }
}
around(DatabaseMessageStore.prototype, 'addIntent', 'the row')
around(DatabaseMessageStore.prototype, 'startSending', 'it is marked')
around(DatabaseMessageStore.prototype, 'updateDraft', 'its text is stored')
around(DatabaseMessageStore.prototype, 'finishSending', 'the receipt')
around(DatabaseSessions.prototype, 'updateTurn', 'the turn delivers', (_id, { state }) => state === 'delivering')

const calls = join(folder, 'calls')
const note = (call) => appendFileSync(calls, `${JSON.stringify(call)}\n`)
let account
const platform = definePlugin({
  name: 'adapter-pipe',
  setup: (ctx) =>
    void ctx.contribute(
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
            const id = `out-${process.pid}-${Math.random().toString(36).slice(2)}`
            at('before the platform has it')
            note({ do: 'show', id, text })
            at('after the platform has it')
            return { messageId: id }
          },
          async edit(_target, id, { text }) {
            at('before an edit')
            note({ do: 'show', id, text })
            at('after an edit')
          },
          async recall(_target, id) {
            note({ do: 'recall', id })
          },
        }),
      }),
    ),
})

const models = scriptedModels(() => ANSWER)
/** The words come one after the other, as those of a model do. */
const slow = {
  ...models,
  async *stream(...parameters) {
    for await (const part of models.stream(...parameters)) {
      if (part.type === 'text') await setTimeout(WORD_MS)
      yield part
    }
  },
}
const host = createHost(
  [
    { plugin: database },
    { plugin: inbox },
    { plugin: scripted(slow) },
    { plugin: platform },
    { plugin: chat, config: { endpoints: [{ adapter: 'pipe', id: 'one', master: 'ann' }] } },
    {
      plugin: agent,
      config: {
        'ai.agents': {},
        'ai.sessions': {},
        'ai.context': {},
        'ai.trigger': {},
        'ai.multimodal': {},
        'ai.agent': {},
      },
    },
  ],
  { services: [[HostPaths, { root: folder, data: join(folder, 'data') }]] },
)
await host.start()
while (!account || host.inspect().some(({ state }) => state !== 'active')) await setTimeout(2)
const hear = (id, content) =>
  account.receive({ id, channel: { type: 'private', id: 'ann' }, sender: { id: 'ann' }, content })
if (afterMs !== undefined) void setTimeout(afterMs).then(die)
if (asks) await hear('question', 'count to four')
if (stops) await hear('stop', '/stop')

const store = host.get(Database)
const isOpen = { state: { $in: ['received', 'handling', 'draft', 'intent', 'sending'] } }
const busy = async () =>
  host.get(Agent).turns().length > 0 || (await store.read((db) => db.count(Messages, isOpen))) > 0
const until = Date.now() + SETTLED_MS
// Twice in a row: work moves from messages to turns and back.
while (Date.now() < until && ((await busy()) || (await setTimeout(20).then(busy)))) await setTimeout(10)

const shown = new Map()
const empty = []
for (const line of existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').filter(Boolean) : []) {
  const { do: what, id, text = '' } = JSON.parse(line)
  if (what === 'recall') shown.delete(id)
  else {
    shown.set(id, text)
    if (text.trim() === '') empty.push(id)
  }
}
const rows = (await store.read((db) => db.find(Messages))).map(({ direction, state, text }) => ({
  direction,
  state,
  text,
}))
const open = rows.filter(({ state }) => isOpen.state.$in.includes(state))
say(JSON.stringify({ answer: ANSWER, shown: [...shown.values()], empty: empty.length, rows, open, busy: await busy() }))
process.exit(0)
