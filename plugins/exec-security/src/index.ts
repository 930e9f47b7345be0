import { join, resolve } from 'node:path'
import {
  Cluster,
  ConfigurationWriter,
  definePlugin,
  endpointPlace,
  HostControl,
  HostPaths,
  ifEnabled,
  messageOf,
  ref,
  type Clock,
  type Logger,
} from '@mynah/kernel'
import { DAY_MS } from '@mynah/kernel/util'
import { exec as contract, isRecord } from '@mynah/contract'
import { awaiting, Chat, commands, MessageStore } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { Database, entities, newId } from '@mynah/database-api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { CommandRuns, Http, refusedSenders } from '@mynah/plugin-http-core/api'
import { approvalKinds, Approvals, ExecSecurity, type AuditEntry, type ExecLevel } from './api.js'
import { Requests, approvalView } from './approvals/approval.js'
import { ApprovalService, type ApprovalListener } from './approvals/approval-service.js'
import { OWN_KINDS } from './approvals/kinds.js'
import { PermanentApprovals } from './approvals/permanent-approvals.js'
import {
  HostApprovalStore,
  MemoryApprovalStore,
  openApprovalFile,
  type ApprovalStore,
} from './approvals/approval-store.js'
import { Audit, AuditLog } from './audit.js'
import { approveCommands } from './chat/commands.js'
import { OwnerChats } from './chat/owner-chats.js'
import { plainAnswers } from './chat/plain-answers.js'
import { claims, type ExecConfig } from './config.js'
import { ExecService } from './exec-service.js'
import { OwnerDesk } from './owner-desk.js'
import { retrying } from './retrying.js'
import { PermanentAdditions } from './reach/permanent-additions.js'
import { ExecMethods } from './rpc.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export * from './policy/index.js'
export { runCommand } from './run/run-command.js'
export type { RunOptions, RunResult } from './run/run-command.js'

/** Subject under which hosts of a cluster tell each other of requests. */
const CHANGED = 'exec:approval'
const FILE = 'owner-approve-always.json'
const REQUESTS = 'exec-approvals.json'
/** How often answers that other hosts have stored are looked for: what they tell may be lost. */
const FOLLOW_MS = 15_000
/** Texts of commands are kept shorter than the audit, which has none. */
const REQUEST_DAYS = 7
const AUDIT_DAYS = 365

export default definePlugin({
  name: 'exec-security',
  description: 'Shell commands: policy, approvals of the owner, audit',
  descriptions: { 'zh-CN': 'Shell 命令：策略、所有者审批与审计' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: {
    host: HostControl,
    paths: ref(HostPaths),
    database: ref(Database),
    chat: ref(Chat),
    messages: ref(MessageStore),
    http: ref(Http),
    writer: ref(ConfigurationWriter),
    cluster: ifEnabled(Cluster),
  },
  provides: [ExecSecurity, Approvals, CommandRuns],
  async setup(ctx) {
    const { clock, log, database, chat, messages } = ctx
    const data = ctx.paths.current?.data
    for (const table of [Requests, AuditLog]) ctx.contribute(entities, table)
    if (!database.declared) log.warn(withoutDatabase(data !== undefined))
    warnOfObsolete(ctx.config, log)

    const inMemory = (): ApprovalStore => ctx.keep('requests', () => new MemoryApprovalStore())
    const openFile = (folder: string): Promise<ApprovalStore> =>
      openApprovalFile(join(folder, REQUESTS), log, clock.now())
    const withoutTable = async (): Promise<ApprovalStore> => (data === undefined ? inMemory() : openFile(data))
    const store = new HostApprovalStore(database, database.declared ? undefined : await withoutTable())

    const owners = new OwnerChats(chat, log, ctx.paths.current?.root)
    for (const kind of OWN_KINDS) ctx.contribute(approvalKinds, kind)
    const listener: ApprovalListener = {
      requested: (approval) => void owners.notify(approval),
      changed(approval) {
        if (approval.status !== 'pending') void owners.forget(approval)
        void ctx.cluster?.tell(CHANGED, { id: approval.id })
        ctx.emit(publish, event(contract.events, 'exec:approval', approvalView(approval, ctx.paths.current?.root)))
      },
    }
    const approvals = new ApprovalService(ctx, store, ctx.read(approvalKinds), listener)
    const permanent = await PermanentApprovals.open(join(data ?? resolve('data'), FILE), log, () => clock.now())
    const audit = new Audit(
      ctx,
      ctx.keep<AuditEntry[]>('audit', () => []),
    )
    const exec = new ExecService(ctx, ctx.config, approvals, permanent, audit)
    const additions = new PermanentAdditions(ctx, exec, audit)
    const desk = new OwnerDesk({ exec, approvals, permanent, audit, additions, root: ctx.paths.current?.root })
    ctx.onDispose('running commands', () => exec.close())
    ctx.on(refusedSenders, (refused) => exec.auditRefusal(refused))
    void logLevel(exec, log).catch((error: unknown) => log.warn(`failed to probe the levels: ${messageOf(error)}`))

    const isReady = (): boolean => !database.declared || database.current !== undefined
    const recover = retrying(ctx, 'recover pending requests', async () => {
      if (!isReady()) return
      await approvals.resume()
      await store.prune(clock.now() - REQUEST_DAYS * DAY_MS)
      await audit.prune(clock.now() - AUDIT_DAYS * DAY_MS)
      await exec.prune()
    })
    /** Sends the requests that a stop kept from being sent. The chat recognises those sent before by their keys. */
    const sendPending = retrying(ctx, 'send pending requests', async () => {
      // Without a message store every request would be sent again.
      if (!chat.current || !messages.current || !isReady()) return
      await owners.notifyAll(await approvals.pending())
      await owners.forgetAll(await approvals.endedLately())
    })
    database.onChange(recover)
    for (const needed of [database, messages, chat]) needed.onChange(sendPending)
    clock.setInterval(recover, DAY_MS)
    await recover()
    if (ctx.cluster) ctx.onDispose('requests of other hosts', followOthers(ctx.cluster, ctx, approvals, owners))

    ctx.contribute(awaiting, plainAnswers(desk, owners))
    for (const command of approveCommands(desk, chat, fromBefore(newId()))) ctx.contribute(commands, command)
    const methods = new ExecMethods(exec, desk, ctx.paths.current?.root, database.declared || data !== undefined)
    for (const bound of methods.all()) ctx.contribute(rpcMethods, bound)
    ctx.contribute(streamEvents, declare(contract.events, 'exec:approval'))
    ctx.provide(CommandRuns, exec.open)
    ctx.provide(ExecSecurity, exec)
    ctx.provide(Approvals, approvals)
    return {
      update(next) {
        exec.config = next
        warnOfObsolete(next, log)
        return true
      },
    }
  },
})

/** Follows the requests that other hosts of a cluster make and answer. Returns how to stop. */
function followOthers(
  cluster: Cluster,
  { log, clock }: { readonly log: Logger; readonly clock: Clock },
  approvals: ApprovalService,
  owners: OwnerChats,
): () => void {
  const failed = (error: unknown): void => log.warn(`failed to follow a request of another host: ${messageOf(error)}`)
  const follow = async (params: unknown): Promise<void> => {
    const approval = isRecord(params) ? await approvals.follow(String(params.id)) : undefined
    const { adapter = null, endpointId = null } = approval ?? {}
    // The key of its messages makes sure that they are sent once. Answers in words come to this host.
    if (approval?.status === 'pending' && cluster.owns(endpointPlace(adapter ?? '', endpointId ?? '')))
      await owners.notify(approval)
    else if (approval && approval.status !== 'pending') await owners.forget(approval)
  }
  const stop = cluster.onTold(CHANGED, (params) => void follow(params).catch(failed))
  const cancel = clock.setInterval(() => approvals.followAll().catch(failed), FOLLOW_MS)
  return () => {
    stop()
    cancel()
  }
}

/** Returns whether a message was accepted before the id was made, and is handled again after a stop. */
const fromBefore =
  (firstId: string) =>
  ({ row }: { readonly row: string | undefined }): boolean =>
    row !== undefined && row.length === firstId.length && row < firstId

function withoutDatabase(hasFolder: boolean): string {
  const requests = hasFolder ? '' : ', and so are pending requests'
  return `no database is enabled: the audit is kept in memory and lost when the process ends${requests}`
}

function warnOfObsolete(config: ExecConfig, log: Logger): void {
  if (config['ai.agent.execAsk'] !== undefined)
    log.warn('ai.agent.execAsk is obsolete and has no effect; use ai.agent.execApprovalMode')
}

/** The meaning of each level, for the log. */
const MEANING: Readonly<Record<ExecLevel, string>> = {
  wall: 'commands run at level wall: in a view of their own, with the network by name',
  files: 'commands run at level files: kept to their files, with open UDP and local sockets',
  none: 'commands run at level none: nothing but the check of their text holds them',
}

/** Logs at which level commands run. */
async function logLevel(exec: ExecService, log: Logger): Promise<void> {
  const { 'ai.agent.execSecurity': security, 'ai.agent.execSandbox': setting } = exec.config
  if (security === 'deny') return
  const { level, reasons } = await exec.level()
  const because = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
  if (level === 'wall') log.info(MEANING.wall)
  else if (setting === 'required') log.warn(`every command is refused: execSandbox is required${because}`)
  else log.warn(MEANING[level] + because)
}
