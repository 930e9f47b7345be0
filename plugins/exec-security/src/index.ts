// The plugin `exec-security`, and the pure policy and the runner for those who need no host.
import { join, resolve } from 'node:path'
import { definePlugin, HostPaths, ref, messageOf } from '@mynah/kernel'
import { exec as contract, WireError } from '@mynah/contract'
import { awaiting, Chat, commands, MessageStore } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { Database, entities } from '@mynah/plugin-database/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { Http } from '@mynah/plugin-http-core/api'
import { Approvals, ExecSecurity, type AuditEntry } from './api.js'
import { Requests, approvalView } from './approvals/approval.js'
import { ApprovalService } from './approvals/approval-service.js'
import { PermanentApprovals } from './approvals/permanent-approvals.js'
import {
  DatabaseApprovalStore,
  MemoryApprovalStore,
  openApprovalFile,
  type ApprovalStore,
} from './approvals/approval-store.js'
import { Audit, AuditLog } from './audit.js'
import { approveCommands } from './chat/commands.js'
import { OwnerChats } from './chat/owner-chats.js'
import { plainAnswers } from './chat/plain-answers.js'
import { claims } from './config.js'
import { ExecService } from './exec-service.js'
import { ownerGuard } from './owner-guard.js'
import { RequestPeers } from './request-peers.js'
import { execMethods } from './rpc.js'

export * from './policy/index.js'
export { runCommand } from './run/run-command.js'
export { probeSandbox } from './run/sandbox.js'
export type { SandboxProbe, SandboxView } from './run/sandbox.js'
export type { RunOptions, RunResult } from './run/run-command.js'

const FILE = 'owner-approve-always.json'
const REQUESTS = 'exec-approvals.json'
const DAY_MS = 24 * 3_600_000
/** Texts of commands are kept shorter than the audit, which has none. */
const REQUEST_DAYS = 7
const AUDIT_DAYS = 365

export default definePlugin({
  name: 'exec-security',
  description: 'Shell commands: policy, approvals of the owner, audit',
  descriptions: { 'zh-CN': 'Shell 命令：策略、所有者审批与审计' },
  config: claims,
  needs: {
    paths: ref(HostPaths),
    database: ref(Database),
    chat: ref(Chat),
    messages: ref(MessageStore),
    http: ref(Http),
  },
  provides: [ExecSecurity, Approvals],
  async setup(ctx) {
    const { clock, log, database, chat, messages, http } = ctx
    const data = ctx.paths.current?.data
    for (const table of [Requests, AuditLog]) ctx.contribute(entities, table)
    // Without a database a file keeps the requests; without a folder of its own the host has memory alone.
    const held = database.declared
      ? undefined
      : data === undefined
        ? ctx.keep('requests', () => new MemoryApprovalStore())
        : await openApprovalFile(join(data, REQUESTS), log, clock.now())
    const store = (): ApprovalStore => {
      if (database.current) return new DatabaseApprovalStore(database.current)
      if (!held) throw new WireError('not_ready', 'The database with the requests is not ready')
      return held
    }
    if (!database.declared)
      log.warn(
        `no database is enabled: the audit is kept in memory and goes with the process${data === undefined ? ', and so do waiting requests' : ''}`,
      )

    const warnOfOld = (config: typeof ctx.config): void => {
      if (config['ai.agent.execAsk'] !== undefined)
        log.warn('ai.agent.execAsk is obsolete and has no effect; use ai.agent.execApprovalMode')
    }
    warnOfOld(ctx.config)

    const owners = new OwnerChats({ chat: () => chat.current, log })
    const approvals = new ApprovalService({
      store,
      clock,
      log,
      signal: ctx.signal,
      ask: (approval) => void owners.tell(approval),
      changed: (approval) => {
        if (approval.status !== 'pending') owners.forget(approval.id)
        ctx.emit(publish, event(contract.events, 'exec:approval', approvalView(approval)))
      },
    })
    const standing = await PermanentApprovals.open(join(data ?? resolve('data'), FILE), log, () => clock.now())
    const audit = new Audit({
      database: () => database.current,
      log,
      now: () => clock.now(),
      recent: ctx.keep<AuditEntry[]>('audit', () => []),
    })
    const ports = (): readonly number[] | undefined => (http.current ? [http.current.address.port] : undefined)
    const exec = new ExecService(
      { approvals, standing, audit, signal: ctx.signal, paths: () => ctx.paths.current, ports },
      ctx.config,
    )
    ctx.onDispose('running commands', () => exec.close())
    const peers = new RequestPeers(() => exec.busy)
    ctx.onDispose('connections of requests', peers.start())
    const owner = ownerGuard(peers, exec)
    const wall = async (): Promise<void> => {
      const { 'ai.agent.execSecurity': security, 'ai.agent.execSandbox': setting } = exec.config
      if (security === 'deny' || setting === 'off') return
      const probe = await exec.sandbox()
      if (probe.available) log.info('commands run in a sandbox, apart from the data and configuration of this host')
      else
        log.warn(
          setting === 'required'
            ? `every command is refused: the sandbox is required, and ${probe.reason}`
            : `commands run without a sandbox: ${probe.reason}`,
        )
    }
    void wall().catch((error: unknown) => log.warn(`the sandbox could not be tried: ${messageOf(error)}`))

    const takeUp = async (): Promise<void> => {
      if (database.declared && !database.current) return
      try {
        await approvals.resume()
        await store().prune(clock.now() - REQUEST_DAYS * DAY_MS)
        await audit.prune(clock.now() - AUDIT_DAYS * DAY_MS)
      } catch (error) {
        log.warn(`requests of before could not be taken up: ${messageOf(error)}`)
      }
    }
    /** What a stop has kept from being told is told; what was told is known again by its message. */
    const tellAgain = async (): Promise<void> => {
      // Where messages are forgotten, nobody knows what was told.
      if (!chat.current || !messages.current || (database.declared && !database.current)) return
      try {
        for (const approval of await approvals.pending()) await owners.tell(approval)
      } catch (error) {
        log.warn(`requests that wait could not be told: ${messageOf(error)}`)
      }
    }
    database.onChange(takeUp)
    for (const needed of [database, messages, chat]) needed.onChange(tellAgain)
    clock.setInterval(takeUp, DAY_MS)
    await takeUp()

    ctx.contribute(awaiting, plainAnswers({ exec, owners, owner }))
    for (const command of approveCommands({ exec, approvals, standing, owner, chat: () => chat.current }))
      ctx.contribute(commands, command)
    for (const bound of execMethods({
      exec,
      approvals,
      standing,
      owner,
      stored: () => database.declared || data !== undefined,
    }))
      ctx.contribute(rpcMethods, bound)
    ctx.contribute(streamEvents, declare(contract.events, 'exec:approval'))
    ctx.provide(ExecSecurity, exec)
    ctx.provide(Approvals, approvals)
    return {
      update(next) {
        exec.config = next
        warnOfOld(next)
        return true
      },
    }
  },
})
