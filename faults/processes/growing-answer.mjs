// A host whose agent answers in one message that grows. It kills itself at one step of that, or after some time.
//
// Options: `folder`; `url` of PostgreSQL, else SQLite; `step`; `afterMs` until a kill; `asks`: whether the question
// comes; `stops`: whether the user stops the answer as soon as the host runs. The folder has the calls of the platform,
// which survive a kill. Says `accepted`, and a report as one line of JSON where it is not killed.
import { setTimeout } from 'node:timers/promises'
import { scriptedModels } from '@mynah/plugin-ai/testing'
import { DatabaseSessions } from '../../plugins/agent/dist/session/database-store.js'
import { DatabaseMessageStore } from '../../plugins/inbox/dist/store.js'
import { agentWith, isWorking } from '../lib/agent-host.mjs'
import {
  die,
  newMessageId,
  Notes,
  options,
  Platform,
  rowsOf,
  startChat,
  Steps,
  whatIsOpen,
  whileBusy,
} from '../lib/host.mjs'
import { say } from '../lib/say.mjs'

const { folder, url, step, afterMs, asks, stops } = options
const ANSWER = 'one two three four'
const WORD_MS = 350

const steps = new Steps(step)
steps.around(DatabaseMessageStore.prototype, 'addIntent', 'the row')
steps.around(DatabaseMessageStore.prototype, 'startSending', 'it is marked')
steps.around(DatabaseMessageStore.prototype, 'updateDraft', 'its text is stored')
steps.around(DatabaseMessageStore.prototype, 'finishSending', 'the receipt')
const delivers = (_id, { state }) => state === 'delivering'
steps.around(DatabaseSessions.prototype, 'updateTurn', 'the turn delivers', delivers)

const notes = new Notes(folder)
const platform = new Platform({
  async send(_target, { text }) {
    const id = newMessageId()
    steps.at('before the platform has it')
    notes.add('calls', { id, text })
    steps.at('after the platform has it')
    return { messageId: id }
  },
  async edit(_target, id, { text }) {
    steps.at('before an edit')
    notes.add('calls', { id, text })
    steps.at('after an edit')
  },
  recall: async (_target, id) => notes.add('calls', { id, isRecalled: true }),
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
const host = await startChat({ folder, url, platform, endpoint: { master: 'ann' }, plugins: agentWith(slow) })
if (afterMs !== undefined) void setTimeout(afterMs).then(die)
if (asks) await platform.hear('question', 'ann', 'count to four').then(() => say('accepted'))
if (stops) await platform.hear('stop', 'ann', '/stop')
await whileBusy(() => isWorking(host))

const shown = new Map()
for (const { id, text, isRecalled } of notes.all('calls')) {
  if (isRecalled) shown.delete(id)
  else shown.set(id, text)
}
const empty = notes.all('calls').filter(({ text }) => text?.trim() === '').length
const rows = (await rowsOf(host)).map(({ direction, state, text }) => ({ direction, state, text }))
say(
  JSON.stringify({
    answer: ANSWER,
    shown: [...shown.values()],
    empty,
    rows,
    busy: (await isWorking(host)) && (await whatIsOpen(host)),
  }),
)
process.exit(0)
