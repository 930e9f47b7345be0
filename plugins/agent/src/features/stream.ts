import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { agent as contract } from '../contract.js'
import { turnRow } from '../rpc.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'

/** Publishes a change of a session to the clients of the event stream. */
export function publishSession(
  ctx: AgentContext,
  sessionKey: string,
  sessionId: string,
  what: 'new' | 'compact' | 'leaf' | 'choice' | 'archived',
): void {
  ctx.emit(publish, event(contract.events, 'agent:session', { sessionKey, sessionId, what }))
}

/** Publishes the changes of turns and sessions to the clients of the event stream. */
export function register(ctx: AgentContext, { events, host }: AgentRuntime): void {
  ctx.contribute(streamEvents, declare(contract.events, 'agent:turn'))
  ctx.contribute(streamEvents, declare(contract.events, 'agent:session'))
  const redact = (text: string): string => host.redact(text)
  events.on('turnChanged', (turn) => ctx.emit(publish, event(contract.events, 'agent:turn', turnRow(turn, redact))))
  events.on('sessionCreated', (key, id) => publishSession(ctx, key, id, 'new'))
  events.on('sessionChosen', ({ key, id }) => publishSession(ctx, key, id, 'choice'))
  events.on('sessionArchived', ({ key, id }) => publishSession(ctx, key, id, 'archived'))
}
