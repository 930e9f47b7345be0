import { commands } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { readinessChecks } from '@mynah/plugin-http-core/api'
import { SessionTrees } from '@mynah/plugin-introspection/api'
import type { PairingDesk } from '../access/pairing-desk.js'
import { agentCommands } from '../commands/index.js'
import type { Compactor } from '../compaction/compactor.js'
import { agentMethods } from '../rpc.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import { Trees } from '../session/trees.js'
import type { Turns } from '../turn/turns.js'
import type { UsageLog } from '../usage-log.js'
import { publishSession } from './stream.js'

export interface CommandParts {
  readonly compactor: Compactor
  readonly turns: Turns
  readonly usage: UsageLog
  readonly desk: PairingDesk
}

/** Offers sessions and turns to people and programs: chat commands, RPC methods and session trees. */
export function register(
  ctx: AgentContext,
  runtime: AgentRuntime,
  { compactor, turns, usage, desk }: CommandParts,
): void {
  const trees = new Trees(runtime, turns.sessions, compactor, ({ key, id }) => publishSession(ctx, key, id, 'leaf'))
  const services = { runtime, turns, trees, compactor, usage, desk, checks: ctx.read(readinessChecks) }
  for (const command of agentCommands(services)) ctx.contribute(commands, command)
  for (const bound of agentMethods(runtime, turns, usage)) ctx.contribute(rpcMethods, bound)
  ctx.provide(SessionTrees, trees)
}
