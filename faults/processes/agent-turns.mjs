// A host whose agent answers people on a platform, killed at a commit of its database.
//
// Arguments: folder, number of the life, the commit at which it dies (0: never), `before` or `after` it. The folder has
// the files `accepted` and `sent` of the platform and `done` of the tools, which survive a kill.
// The last life prints a report as one line of JSON.
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import { Type } from '@mynah/contract/type'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import agent from '@mynah/plugin-agent'
import { Agent } from '@mynah/plugin-agent/api'
import { defineTool, textOf, tools } from '@mynah/plugin-ai/api'
import { scripted, scriptedModels } from '@mynah/plugin-ai/testing'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import execSecurity from '@mynah/plugin-exec-security'
import { Approvals } from '@mynah/plugin-exec-security/api'
import inbox from '@mynah/plugin-inbox'
import { Messages } from '../../plugins/inbox/dist/tables.js'
import tasks from '@mynah/plugin-tasks'
import toolbox from '@mynah/plugin-toolbox'

const [, , folder, lifeText, dieAt, when] = process.argv
const life = Number(lifeText)
const isLast = Number(dieAt) === 0
const SETTLED_MS = 60_000

let commits = 0
for (const name of ['run', 'all', 'get']) {
  const statement = sqlite3.Statement.prototype
  const original = statement[name]
  statement[name] = function (...parameters) {
    if (isLast || this.sql !== 'COMMIT' || ++commits !== Number(dieAt)) return original.apply(this, parameters)
    if (when === 'before') process.kill(process.pid, 'SIGKILL')
    return original.call(this, () => process.kill(process.pid, 'SIGKILL'))
  }
}

const file = (name) => join(folder, name)
const lines = (name) =>
  existsSync(file(name))
    ? readFileSync(file(name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []
// Written synchronously: a kill would lose a pending write.
const note = (name, value) => appendFileSync(file(name), `${JSON.stringify(value)}\n`)

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
  const last = messages.findLast(({ role }) => role === 'user')
  const tag = /([A-F]-\d+)(?!.*[A-F]-\d)/s.exec(textOf(last))?.[1]
  if (tag === undefined) return 'plainly'
  return messages.at(-1)?.role === 'tool' ? `done ${tag}` : ANSWERS[tag[0]](tag)
})

let account
const platform = definePlugin({
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
          async send({ id }, { text, replyTo }) {
            const messageId = `out-${life}-${Math.random().toString(36).slice(2)}`
            note('sent', { to: id, text, replyTo, messageId })
            return { messageId }
          },
        }),
      }),
    )
    ctx.contribute(
      tools,
      defineTool({
        name: 'write_note',
        description: 'Writes a note',
        parameters: Type.Object({ tag: Type.String() }),
        run: ({ tag }) => {
          note('done', { tag })
          return 'written'
        },
      }),
    )
    ctx.contribute(
      tools,
      defineTool({
        name: 'look',
        description: 'Looks',
        effect: 'read',
        parameters: Type.Object({}),
        run: () => 'seen',
      }),
    )
  },
})

const host = createHost(
  [
    { plugin: database },
    { plugin: inbox },
    { plugin: scripted(models) },
    { plugin: platform },
    { plugin: chat, config: { endpoints: [{ adapter: 'pipe', id: 'one', master: 'owner', trusted: ['user-C'] }] } },
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
    {
      plugin: execSecurity,
      config: {
        'ai.agent.execSecurity': 'allowlist',
        'ai.agent.execApprovalMode': 'ask',
        'ai.agent.execPreset': 'readonly',
      },
    },
    { plugin: toolbox, config: { 'ai.toolbox': {} } },
    { plugin: tasks, config: {} },
  ],
  { services: [[HostPaths, { root: folder, data: join(folder, 'data') }]] },
)
await host.start()
while (!account || !host.get(Agent)) await setTimeout(2)

const accepted = new Set(lines('accepted').map(({ id }) => id))
/** Delivers a message. The next life delivers messages again that were not accepted, as platforms do. */
async function hear(id, user, content) {
  if (accepted.has(id)) return
  await account.receive({ id, channel: { type: 'private', id: user }, sender: { id: user }, content })
  accepted.add(id)
  note('accepted', { id, user, content })
}
for (let round = Math.max(0, life - 1); round <= life; round++)
  for (const letter of Object.keys(ANSWERS))
    await hear(`${letter}-${round}`, `user-${letter}`, `please ${letter}-${round}`)

/** Answers as the owner and as asked users, until no question is left. */
async function answer() {
  for (const { id } of await host.get(Approvals).pending()) await hear(`ok-${id}-${life}`, 'owner', `/approve ${id}`)
  const asked = host
    .get(Agent)
    .turns()
    .filter(({ sessionKey, state }) => state === 'waiting' && sessionKey.endsWith('user-D'))
  for (const { id } of asked) await hear(`blue-${id}-${life}`, 'user-D', 'blue')
}
const OPEN = ['received', 'handling', 'intent', 'sending']
const busy = async () => {
  const db = host.get(Database)
  const [{ tasks: untold }] = await db.read((reads) =>
    reads.query('SELECT count(*) AS tasks FROM agent_task WHERE delivered_at IS NULL'),
  )
  return (
    host.get(Agent).turns().length > 0 ||
    Number(untold) > 0 ||
    (await db.read((reads) => reads.count(Messages, { state: { $in: OPEN } }))) > 0
  )
}
const until = Date.now() + SETTLED_MS
while ((await busy()) && Date.now() < until) {
  await answer()
  await setTimeout(5)
}
if (!isLast) process.kill(process.pid, 'SIGKILL')

for (const letter of Object.keys(ANSWERS)) await hear(`last-${letter}`, `user-${letter}`, 'and now?')
while ((await busy()) && Date.now() < until + SETTLED_MS) {
  await answer()
  await setTimeout(5)
}
const rows = await host.get(Database).read((db) => db.find(Messages, { limit: 100_000 }))
const turns = await host
  .get(Database)
  .read((db) => db.query('SELECT row, state, stage, error, waiting FROM agent_turn'))
const results = await host.get(Database).read((db) => db.query("SELECT content FROM agent_entry WHERE role = 'tool'"))
const report = {
  answers: [
    ...results
      .flatMap(({ content }) => JSON.parse(content))
      .filter(({ name }) => name === 'ask_user')
      .map(({ output }) => output),
    // Of an abandoned turn, which the agent reports.
    ...turns.flatMap(({ waiting }) =>
      waiting === null ? [] : [JSON.parse(waiting), ...(JSON.parse(waiting).beside ?? [])].map(({ answer }) => answer),
    ),
  ],
  accepted: lines('accepted'),
  sent: lines('sent'),
  done: lines('done').map(({ tag }) => tag),
  ran: existsSync(file('workspace/ran.txt'))
    ? readFileSync(file('workspace/ran.txt'), 'utf8').split('\n').filter(Boolean)
    : [],
  rows: rows.map(({ direction, state, inbound_id: id, id: row, answers, text }) => ({
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
}
writeSync(1, `${JSON.stringify(report)}\n`)
await host.stop()
process.exit(0)
