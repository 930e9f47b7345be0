// The approvals of the plugin `exec-security`, without its shell: requests, the owner's chats and the commands are the
// built ones. Its tool `unlock` asks the owner first, as a tool of the home does.
import { definePlugin, ref } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { defineTool, isLeft, tools } from '@mynah/plugin-ai/api'
import { awaiting, Chat, commands, MessageStore } from '@mynah/plugin-chat/api'
import { Database, newId } from '@mynah/plugin-database/api'
import { approvalKinds, Approvals, NEEDS_OWNER } from '@mynah/plugin-exec-security/api'
import { ApprovalService } from '../../plugins/exec-security/dist/approvals/approval-service.js'
import { HostApprovalStore } from '../../plugins/exec-security/dist/approvals/approval-store.js'
import { OWN_KINDS } from '../../plugins/exec-security/dist/approvals/kinds.js'
import { approveCommands } from '../../plugins/exec-security/dist/chat/commands.js'
import { OwnerChats } from '../../plugins/exec-security/dist/chat/owner-chats.js'
import { plainAnswers } from '../../plugins/exec-security/dist/chat/plain-answers.js'
import { OwnerDesk } from '../../plugins/exec-security/dist/owner-desk.js'
import { retrying } from '../../plugins/exec-security/dist/retrying.js'
import { use } from './tools-plugin.mjs'

/** The history that runs: the schema of a tool is compiled once for all of them. */
let current

const NO_AUDIT = { add: async () => {} }

const requestOf = (id, call) => ({
  kind: 'home',
  title: `Unlock ${id}`,
  text: `unlock ${id}`,
  origin: call.origin,
  reason: 'it is a lock',
  asker: { turn: call.turn, call: call.id },
})

async function confirmed(approvals, id, call) {
  const request = requestOf(id, call)
  const end = await call.wait('approval', await approvals.idFor(request), async (signal) => {
    const asked = await approvals.request(request)
    return approvals.wait(asked.id, signal).catch(async (error) => {
      if (!isLeft(signal.reason)) await approvals.withdraw(asked.id)
      throw error
    })
  })
  if (end !== 'approved' || !(await approvals.use('home', request.text, call.origin)))
    throw new WireError('forbidden', `the owner did not confirm it (${end})`)
}

const unlock = defineTool({
  name: 'unlock',
  description: 'unlock',
  effect: 'once',
  permanent: true,
  parameters: Type.Object({ id: Type.String() }),
  async run({ id }, call) {
    const { world, approvals } = current
    world.ledger.worksFor(call.turn)
    await confirmed(approvals, id, call)
    return use(world, 'unlock', 'once', id)
  },
})

/** As the shell does it for a sub-agent: it asks, and the task waits for the owner when the sub-agent has ended. */
const apply = defineTool({
  name: 'apply',
  description: 'apply',
  effect: 'once',
  permanent: true,
  parameters: Type.Object({ id: Type.String() }),
  async run({ id }, call) {
    const { world, approvals } = current
    world.ledger.worksFor(call.turn)
    const request = requestOf(id, call)
    if (await approvals.use(request.kind, request.text, call.origin)) return use(world, 'unlock', 'once', id)
    const asked = await call.wait('approval', await approvals.idFor(request), () => approvals.request(request))
    return `${NEEDS_OWNER} ${asked.id}\nThe owner was asked.`
  },
})

/** As the plugin does: what a stop kept from being sent is sent, and what has ended meanwhile is taken back. */
function keepUp(ctx, approvals, owners) {
  const { database, chat, messages } = ctx
  const recover = retrying(ctx, 'recover pending requests', async () => {
    if (database.current) await approvals.resume()
  })
  const sendPending = retrying(ctx, 'send pending requests', async () => {
    if (!chat.current || !messages.current || !database.current) return
    await owners.notifyAll(await approvals.pending())
    await owners.forgetAll(await approvals.endedLately())
  })
  database.onChange(recover)
  for (const needed of [database, messages, chat]) needed.onChange(sendPending)
}

export const approvalsPlugin = (world) =>
  definePlugin({
    name: 'exec-security',
    needs: { database: ref(Database), chat: ref(Chat), messages: ref(MessageStore) },
    provides: [Approvals],
    setup(ctx) {
      const { database, chat, log } = ctx
      const store = new HostApprovalStore(database, undefined)
      const owners = new OwnerChats(chat, log)
      for (const kind of OWN_KINDS) ctx.contribute(approvalKinds, kind)
      const approvals = new ApprovalService(ctx, store, ctx.read(approvalKinds), {
        requested: (approval) => void owners.notify(approval),
        changed: (approval) => void (approval.status !== 'pending' && owners.forget(approval)),
      })
      const desk = new OwnerDesk({ approvals, audit: NO_AUDIT })
      keepUp(ctx, approvals, owners)
      ctx.contribute(awaiting, plainAnswers(desk, owners))
      const firstId = newId()
      for (const command of approveCommands(desk, chat, ({ row }) => row !== undefined && row < firstId))
        ctx.contribute(commands, command)
      current = { world, approvals }
      for (const tool of [unlock, apply]) ctx.contribute(tools, tool)
      ctx.provide(Approvals, approvals)
    },
  })
