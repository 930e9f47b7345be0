// A host whose agent asks its owner for a command, for a lock of the home, or for a command of a sub-agent. It kills
// itself at one step of asking.
//
// Options: `folder`; `url` of PostgreSQL, else SQLite; `step`; `asks`: who asks (`bash`, `late`, `home`, `task`),
// unless that has begun; `next`: the owner approves what waits (`approve`), or the host ends while it waits (`stop`,
// `kill`). The first approval of `late` expires when its command starts; the second request counts. The messages to the
// owner and the calls of the home are in the folder and survive a kill. Says a report as one line of JSON where it is
// not killed.
import { createServer } from 'node:http'
import { Agent } from '@mynah/plugin-agent/api'
import { textOf } from '@mynah/plugin-ai/api'
import { scriptedModels } from '@mynah/plugin-ai/testing'
import assistant from '@mynah/plugin-assistant'
import cron from '@mynah/plugin-cron'
import { Approvals } from '@mynah/plugin-exec-security/api'
import tasks from '@mynah/plugin-tasks'
import toolbox from '@mynah/plugin-toolbox'
import { DatabaseSessions } from '../../plugins/agent/dist/session/database-store.js'
import { ApprovalService } from '../../plugins/exec-security/dist/approvals/approval-service.js'
import { DatabaseApprovalStore } from '../../plugins/exec-security/dist/approvals/approval-store.js'
import { agentWith, askingForCommands, isWorking } from '../lib/agent-host.mjs'
import { die, newMessageId, Notes, options, Platform, startChat, Steps, whileBusy } from '../lib/host.mjs'
import { say } from '../lib/say.mjs'

const { folder, url, step, asks, next } = options
/** Time to withdraw a request after all work has ended. */
const TAKEN_BACK_MS = 2_000
const REQUEST = 'waits for your confirmation'

let runsOut = asks === 'late'
const notes = new Notes(folder)
const steps = new Steps(step, () => !runsOut)
const waits = (_id, { waiting, state }) => state === 'waiting' && waiting?.kind === 'approval'
steps.around(DatabaseSessions.prototype, 'updateTurn', 'the line', waits)
steps.around(DatabaseApprovalStore.prototype, 'add', 'the request')
const { granted } = ApprovalService.prototype
ApprovalService.prototype.granted = async function (...parameters) {
  const [, use] = parameters
  if (runsOut && use) {
    await this.expireApproved(() => true)
    runsOut = false
  }
  return granted.apply(this, parameters)
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
const home = createServer((request, response) => {
  notes.add('opened', request.url)
  response.setHeader('content-type', 'application/json').end('[]')
})
await new Promise((resolve) => home.listen(0, '127.0.0.1', resolve))

const platform = new Platform({
  async send({ id }, { text }) {
    const isRequest = id === 'owner' && text.includes(REQUEST)
    if (isRequest) steps.at('before the owner is notified')
    notes.add('sent', text)
    if (isRequest) steps.at('after the owner is notified')
    return { messageId: newMessageId() }
  },
})
const atHome = {
  enabled: true,
  url: `http://127.0.0.1:${home.address().port}`,
  token: 'of-the-home',
  aliases: { door: 'lock.front' },
}
const host = await startChat({
  folder,
  url,
  platform,
  endpoint: { master: 'owner', trusted: ['tess'] },
  plugins: [
    ...agentWith(models),
    askingForCommands({ 'ai.agent.subagentExecApprovalMode': 'ask' }),
    { plugin: toolbox, config: { 'ai.toolbox': {} } },
    { plugin: tasks, config: {} },
    { plugin: cron, config: {} },
    { plugin: assistant, config: { enabled: true, home: atHome } },
  ],
})
if (asks) await platform.hear(`ask-${asks}`, asks === 'home' ? 'owner' : 'tess', asks)

const pending = () => host.get(Approvals).pending()
if (next === 'stop' || next === 'kill') {
  // In a restarted host the work goes on first, up to where it waited before. A sub-agent may work on.
  const turnWaits = () =>
    host
      .get(Agent)
      .turns()
      .some(({ state }) => state === 'waiting')
  const wasAsked = () => notes.all('sent').some((text) => text.includes(REQUEST))
  await whileBusy(async () => !turnWaits() || !wasAsked() || (await pending()).length === 0)
  say(JSON.stringify({ pending: (await pending()).length }))
  if (next === 'kill') die()
  await host.stop()
  process.exit(0)
}
const answered = new Set()
const isBusy = () => isWorking(host, { withTasks: true })
await whileBusy(async () => {
  for (const { id } of next === 'approve' ? await pending() : []) {
    if (!answered.has(id)) await platform.hear(`ok-${id}-${process.pid}`, 'owner', `/approve ${id}`)
    answered.add(id)
  }
  return isBusy()
})
await whileBusy(async () => (await pending()).length > 0, TAKEN_BACK_MS)
const said = notes.all('sent')
say(
  JSON.stringify({
    pending: (await pending()).length,
    busy: await isBusy(),
    asked: said.filter((text) => text.includes(REQUEST)).length,
    said,
    ran: notes.text('workspace/ran.txt').length,
    opened: notes.all('opened').length,
  }),
)
process.exit(0)
