// A host whose agent answers people on a platform, killed at a commit of its database.
//
// Options: `folder`; number of the `life`; `dieAt`: the commit at which it dies (0: never), `before` or `after` it
// (`when`). The files `accepted` and `sent` of the platform and `done` of the tools survive a kill.
// The last life says a report as one line of JSON.
import { setTimeout } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import { Type } from '@mynah/contract/type'
import { Agent } from '@mynah/plugin-agent/api'
import { defineTool, textOf, tools } from '@mynah/plugin-ai/api'
import { scriptedModels } from '@mynah/plugin-ai/testing'
import { Database } from '@mynah/plugin-database/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import tasks from '@mynah/plugin-tasks'
import toolbox from '@mynah/plugin-toolbox'
import { agentWith, askingForCommands, isWorking } from '../lib/agent-host.mjs'
import { die, newMessageId, Notes, options, Platform, rowsOf, startChat } from '../lib/host.mjs'
import { say } from '../lib/say.mjs'

const { folder, life, dieAt, when } = options
const isLast = dieAt === 0
const SETTLED_MS = 60_000

let commits = 0
for (const name of ['run', 'all', 'get']) {
  const statement = sqlite3.Statement.prototype
  const original = statement[name]
  statement[name] = function (...parameters) {
    if (isLast || this.sql !== 'COMMIT' || ++commits !== dieAt) return original.apply(this, parameters)
    if (when === 'before') die()
    return original.call(this, die)
  }
}

/** Chooses the answer of the model by the letter of the last message of a user. */
const call = (name, input) => ({ calls: [{ name, input }] })
const ANSWERS = {
  A: (tag) => `answer ${tag}`,
  B: (tag) => ({
    calls: [
      { name: 'write_note', input: { tag } },
      { name: 'look', input: {} },
    ],
  }),
  C: (tag) => call('bash', { command: `echo ${tag} >> ran.txt` }),
  D: (tag) => call('ask_user', { question: `Which colour for ${tag}?`, choices: ['red', 'blue'] }),
  E: (tag) => call('spawn_task', { task: `work on ${tag}`, label: tag }),
  F: (tag) => call('run_deferred_task', { task: `work on ${tag}`, label: tag }),
}
const models = scriptedModels(({ purpose, messages }) => {
  if (purpose === 'summary') return 'people talked about colours'
  if (JSON.stringify(messages[0]).includes('worker of an assistant')) return 'worked'
  const at = messages.findLastIndex((message) => message.role === 'user' && ownText(message) !== '')
  const tag = /([A-F]-\d+)(?!.*[A-F]-\d)/s.exec(ownText(messages[at]))?.[1]
  if (tag === undefined) return 'plainly'
  return messages.slice(at).some(({ role }) => role === 'tool') ? `done ${tag}` : ANSWERS[tag[0]](tag)
})
/** Returns what a message asks for, without what is said of messages that are answered separately. */
function ownText(message) {
  const said = textOf(message).replace(/\[[^\]]*answered separately\]\s*<outside[^>]*>.*?<\/outside[^>]*>/gs, '')
  return said.trim()
}

const notes = new Notes(folder)
const writeNote = defineTool({
  name: 'write_note',
  description: 'Writes a note',
  parameters: Type.Object({ tag: Type.String() }),
  run: ({ tag }) => {
    notes.add('done', tag)
    return 'written'
  },
})
const look = defineTool({
  name: 'look',
  description: 'Looks',
  effect: 'read',
  parameters: Type.Object({}),
  run: () => 'seen',
})
const platform = new Platform(
  {
    async send({ id }, { text, replyTo }) {
      const messageId = newMessageId()
      notes.add('sent', { to: id, text, replyTo, messageId })
      return { messageId }
    },
  },
  (ctx) => {
    ctx.contribute(tools, writeNote)
    ctx.contribute(tools, look)
  },
)
const host = await startChat({
  folder,
  platform,
  endpoint: { master: 'owner', trusted: ['user-C'] },
  plugins: [
    ...agentWith(models),
    askingForCommands(),
    { plugin: toolbox, config: { 'ai.toolbox': {} } },
    { plugin: tasks, config: {} },
  ],
})

const accepted = new Set(notes.all('accepted').map(({ id }) => id))
/** Delivers a message. The next life delivers messages again that were not accepted, as platforms do. */
async function hear(id, person, content) {
  if (accepted.has(id)) return
  await platform.hear(id, person, content)
  accepted.add(id)
  notes.add('accepted', { id, content })
}
for (let round = Math.max(0, life - 1); round <= life; round++)
  for (const letter of Object.keys(ANSWERS))
    await hear(`${letter}-${round}`, `user-${letter}`, `please ${letter}-${round}`)

/** Answers as the owner and as asked users. */
async function answer() {
  for (const { id } of await host.get(Approvals).pending()) await hear(`ok-${id}-${life}`, 'owner', `/approve ${id}`)
  const turns = host.get(Agent).turns()
  for (const { id, sessionKey, state } of turns)
    if (state === 'waiting' && sessionKey.endsWith('user-D')) await hear(`blue-${id}-${life}`, 'user-D', 'blue')
}
const until = Date.now() + SETTLED_MS
/** Answers until no question is left. */
async function settle(by) {
  while ((await isWorking(host, { withTasks: true })) && Date.now() < by) {
    await answer()
    await setTimeout(5)
  }
}
await settle(until)
if (!isLast) die()

for (const letter of Object.keys(ANSWERS)) await hear(`last-${letter}`, `user-${letter}`, 'and now?')
await settle(until + SETTLED_MS)
const query = (sql) => host.get(Database).read((db) => db.query(sql))
const turns = await query('SELECT row, session_key, started_at, state, stage, error, waiting FROM agent_turn')
const results = await query("SELECT content FROM agent_entry WHERE role = 'tool'")
const answersIn = ({ answer: text, beside = [] }) => [text, ...beside.map((other) => other.answer)]
say(
  JSON.stringify({
    answers: [
      ...results
        .flatMap(({ content }) => JSON.parse(content))
        .filter(({ name }) => name === 'ask_user')
        .map(({ output }) => output),
      // Of an abandoned turn, which the agent reports.
      ...turns.flatMap(({ waiting }) => (waiting === null ? [] : answersIn(JSON.parse(waiting)))),
    ],
    accepted: notes.all('accepted'),
    sent: notes.all('sent'),
    done: notes.all('done'),
    ran: notes.text('workspace/ran.txt'),
    rows: (await rowsOf(host)).map(({ direction, state, inbound_id: id, id: row, answers, text }) => ({
      direction,
      state,
      id,
      row,
      answers,
      text,
    })),
    turns,
    pending: (await host.get(Approvals).pending()).length,
    running: host.get(Agent).turns().length,
  }),
)
await host.stop()
process.exit(0)
