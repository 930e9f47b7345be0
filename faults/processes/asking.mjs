// A host whose agent asks its owner for a command, for a lock of the home, or for a command of a sub-agent. It kills
// itself at one step of asking.
//
// Arguments: folder, step or `none`, who asks (`bash`, `late`, `home`, `task`) or `-` if that has begun, and `yes` if
// the owner approves waiting requests, or `stop` or `kill` if the host ends so while they wait. The first approval of
// `late` expires when its command starts; the second
// request counts.
// The folder has the messages to the owner and the calls of the home, which survive a kill.
// A life that is not killed prints a report as one line of JSON.
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import agent from '@mynah/plugin-agent'
import { Agent } from '@mynah/plugin-agent/api'
import { textOf } from '@mynah/plugin-ai/api'
import { scripted, scriptedModels } from '@mynah/plugin-ai/testing'
import assistant from '@mynah/plugin-assistant'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter } from '@mynah/plugin-chat/api'
import cron from '@mynah/plugin-cron'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import execSecurity from '@mynah/plugin-exec-security'
import { Approvals } from '@mynah/plugin-exec-security/api'
import inbox from '@mynah/plugin-inbox'
import tasks from '@mynah/plugin-tasks'
import toolbox from '@mynah/plugin-toolbox'
import { DatabaseSessions } from '../../plugins/agent/dist/session/database-store.js'
import { ApprovalService } from '../../plugins/exec-security/dist/approvals/approval-service.js'
import { DatabaseApprovalStore } from '../../plugins/exec-security/dist/approvals/approval-store.js'
import { Messages } from '../../plugins/inbox/dist/tables.js'

const [, , folder, step, asks, approves] = process.argv
const SETTLED_MS = 30_000
/** Time to withdraw a request after all work has ended. */
const TAKEN_BACK_MS = 2_000

const file = (name) => join(folder, name)
const lines = (name) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').split('\n').filter(Boolean) : [])
// Written synchronously: a kill would lose a pending write.
const note = (name, value) => appendFileSync(file(name), `${value}\n`)
let runsOut = asks === 'late'
const at = (here) => {
  if (here === step && !runsOut) process.kill(process.pid, 'SIGKILL')
}

/** Kills before or after a step of a store. */
function around(prototype, method, before, after, which = () => true) {
  const original = prototype[method]
  prototype[method] = async function (...args) {
    const counts = which(...args)
    if (counts) at(before)
    const result = await original.apply(this, args)
    if (counts) at(after)
    return result
  }
}
around(
  DatabaseSessions.prototype,
  'updateTurn',
  'before the line',
  'after the line',
  (_id, { waiting, state }) => state === 'waiting' && waiting?.kind === 'approval',
)
around(DatabaseApprovalStore.prototype, 'add', 'before the request', 'after the request')
const { granted } = ApprovalService.prototype
ApprovalService.prototype.granted = async function (...args) {
  const [, use] = args
  if (runsOut && use) {
    await this.expireApproved(() => true)
    runsOut = false
  }
  return granted.apply(this, args)
}

const bash = { name: 'bash', input: { command: 'echo ran >> ran.txt' } }
const CALLS = {
  bash,
  late: bash,
  home: { name: 'home_call', input: { alias: 'door', service: 'unlock' } },
  task: { name: 'spawn_task', input: { task: 'run the command', label: 'it' } },
}
const models = scriptedModels(({ messages }) => {
  if (messages.at(-1)?.role === 'tool') return 'done'
  if (JSON.stringify(messages[0]).includes('worker of an assistant')) return { calls: [CALLS.bash] }
  return { calls: [CALLS[textOf(messages.findLast(({ role }) => role === 'user')).match(/bash|late|home|task/)[0]]] }
})

const server = createServer((request, response) => {
  note('opened', `${request.method} ${request.url}`)
  response.setHeader('content-type', 'application/json').end('[]')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

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
          async send({ id }, { text }) {
            const asked = id === 'owner' && text.includes('waits for your confirmation')
            if (asked) at('before the owner is notified')
            note('told', JSON.stringify({ to: id, text }))
            if (asked) at('after the owner is notified')
            return { messageId: `out-${Math.random().toString(36).slice(2)}` }
          },
        }),
      }),
    ),
})

const host = createHost(
  [
    { plugin: database },
    { plugin: inbox },
    { plugin: scripted(models) },
    { plugin: platform },
    { plugin: chat, config: { endpoints: [{ adapter: 'pipe', id: 'one', master: 'owner', trusted: ['tess'] }] } },
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
        'ai.agent.subagentExecApprovalMode': 'ask',
        'ai.agent.execPreset': 'readonly',
      },
    },
    { plugin: toolbox, config: { 'ai.toolbox': {} } },
    { plugin: tasks, config: {} },
    { plugin: cron, config: {} },
    {
      plugin: assistant,
      config: {
        enabled: true,
        home: {
          enabled: true,
          url: `http://127.0.0.1:${server.address().port}`,
          token: 'of-the-home',
          aliases: { door: 'lock.front' },
        },
      },
    },
  ],
  { services: [[HostPaths, { root: folder, data: join(folder, 'data') }]] },
)
await host.start()
while (!account || host.inspect().some(({ state }) => state !== 'active')) await setTimeout(2)
const hear = (id, user, content) =>
  account.receive({ id, channel: { type: 'private', id: user }, sender: { id: user }, content })
if (asks !== '-') await hear('ask', asks === 'home' ? 'owner' : 'tess', asks)

const pending = () => host.get(Approvals).pending()
const db = host.get(Database)
const moving = async () =>
  (await db.read((reads) => reads.count(Messages, { state: { $in: ['received', 'handling', 'intent', 'sending'] } }))) >
  0
const working = async () => {
  if (host.get(Agent).turns().length > 0) return true
  const [{ open }] = await db.read((reads) =>
    reads.query(
      'SELECT (SELECT count(*) FROM agent_turn WHERE ended_at IS NULL) + (SELECT count(*) FROM agent_task WHERE delivered_at IS NULL) AS open',
    ),
  )
  return Number(open) > 0
}
/** Checks messages, then turns and tasks, then messages again: work moves in this order, so none is missed. */
const busy = async () => (await moving()) || (await working()) || (await moving())
const within = async (ms, condition) => {
  const until = Date.now() + ms
  while ((await condition()) && Date.now() < until) await setTimeout(5)
}
if (approves === 'stop' || approves === 'kill') {
  // In a restarted host the work goes on first, up to where it waited before.
  const isWaiting = async () =>
    (await pending()).length > 0 &&
    host
      .get(Agent)
      .turns()
      .some(({ state }) => state === 'waiting')
  await within(SETTLED_MS, async () => !(await isWaiting()))
  const waiting = (await pending()).length
  writeSync(1, `${JSON.stringify({ pending: waiting })}\n`)
  if (approves === 'kill') process.kill(process.pid, 'SIGKILL')
  await host.stop()
  process.exit(0)
}
const answered = new Set()
await within(SETTLED_MS, async () => {
  if (approves === 'yes') {
    for (const { id } of await pending()) {
      if (!answered.has(id)) await hear(`ok-${id}-${process.pid}`, 'owner', `/approve ${id}`)
      answered.add(id)
    }
  }
  return busy()
})
await within(TAKEN_BACK_MS, async () => (await pending()).length > 0)
const told = lines('told').map((line) => JSON.parse(line))
writeSync(
  1,
  `${JSON.stringify({
    pending: (await pending()).length,
    busy: await busy(),
    asked: told.filter(({ text }) => text.includes('waits for your confirmation')).length,
    said: told.map(({ text }) => text),
    ran: existsSync(file('workspace/ran.txt'))
      ? readFileSync(file('workspace/ran.txt'), 'utf8').split('\n').filter(Boolean).length
      : 0,
    opened: lines('opened').length,
  })}\n`,
)
process.exit(0)
