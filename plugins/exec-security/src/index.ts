// The plugin `exec-security`, and the pure policy and the runner for those who need no host.
import { join, resolve } from 'node:path'
import { definePlugin, HostPaths, late, messageOf } from '@mynah/kernel'
import { exec as contract, WireError } from '@mynah/contract'
import { Chat, commands } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { Database, entities } from '@mynah/plugin-database/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { ExecSecurity, type AuditEntry } from './api.js'
import { Requests, viewOf } from './approvals/approval.js'
import { Approvals } from './approvals/approvals.js'
import { StandingApprovals } from './approvals/standing.js'
import { DatabaseApprovals, MemoryApprovals, type ApprovalStore } from './approvals/store.js'
import { Audit, AuditLog } from './audit.js'
import { approveCommands } from './chat/commands.js'
import { tellOwners } from './chat/owner.js'
import { claims } from './config.js'
import { Exec } from './exec.js'
import { execMethods } from './rpc.js'

export * from './policy/index.js'
export { runCommand } from './run/run-command.js'
export type { RunOptions, RunResult } from './run/run-command.js'

const FILE = 'owner-approve-always.json'
const DAY_MS = 24 * 3_600_000
/** Texts of commands are kept shorter than the audit, which has none. */
const REQUEST_DAYS = 7
const AUDIT_DAYS = 365

export default definePlugin({
  name: 'exec-security',
  description: 'Shell commands: policy, approvals of the owner, audit',
  config: claims,
  needs: { paths: late(HostPaths), database: late(Database), chat: late(Chat) },
  provides: [ExecSecurity],
  async setup(ctx) {
    const { clock, log, database, chat } = ctx
    for (const table of [Requests, AuditLog]) ctx.contribute(entities, table)
    const memory = ctx.keep('requests', () => new MemoryApprovals())
    const store = (): ApprovalStore => {
      if (database.current) return new DatabaseApprovals(database.current)
      if (database.declared) throw new WireError('not_ready', 'The database with the requests is not ready')
      return memory
    }
    if (!database.declared) log.warn('no database is enabled: waiting requests and the audit are kept in memory and go with the process')

    if (ctx.config['ai.agent.execAsk'] !== undefined) log.warn('ai.agent.execAsk is obsolete and has no effect; use ai.agent.execApprovalMode')

    const approvals = new Approvals({
      store, clock, log,
      changed: (approval) => ctx.emit(publish, event(contract.events, 'exec:approval', viewOf(approval))),
    })
    const standing = await StandingApprovals.open(join(ctx.paths.current?.data ?? resolve('data'), FILE), log, () => clock.now())
    const audit = new Audit({ database: () => database.current, log, now: () => clock.now(), recent: ctx.keep<AuditEntry[]>('audit', () => []) })
    const exec = new Exec({ approvals, standing, audit, signal: ctx.signal, ask: (approval) => void tellOwners(chat.current, approval, log) }, ctx.config)
    ctx.own('running commands', () => exec.idle())

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
    database.onChange(takeUp)
    clock.setInterval(takeUp, DAY_MS)
    await takeUp()

    for (const command of approveCommands({ exec, approvals, standing, chat: () => chat.current })) ctx.contribute(commands, command)
    for (const bound of execMethods(exec, approvals, () => database.declared)) ctx.contribute(rpcMethods, bound)
    ctx.contribute(streamEvents, declare(contract.events, 'exec:approval'))
    ctx.provide(ExecSecurity, exec)
    return {
      update(next) {
        exec.config = next
        return true
      },
    }
  },
})
