import { messageOf } from '@mynah/kernel'
import { aiHook, type AIHookName, type AIHooks } from '../api.js'
import { notifyHooks } from '../hooks.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'

/** Emits an AI hook: to plugins by the kernel, and to the handlers that modules have registered. */
export function emitHook<K extends AIHookName>(
  ctx: AgentContext,
  name: K,
  payload: Omit<AIHooks[K], 'type' | 'timestamp'>,
): void {
  const whole = { ...payload, type: name, timestamp: ctx.clock.now() } as unknown as AIHooks[K]
  ctx.emit(aiHook(name), whole)
  notifyHooks(name, whole, (error) => ctx.log.warn(`handler of the hook ${name} failed: ${messageOf(error)}`))
}

/** Emits AI hooks for the events of turns. */
export function register(ctx: AgentContext, { events, host }: AgentRuntime): void {
  events.on('sessionCreated', (sessionKey, sessionId, previous) =>
    emitHook(ctx, 'ai.session.new', {
      sessionKey,
      sessionId,
      ...(previous === undefined ? {} : { previousSessionId: previous }),
    }),
  )
  events.on('received', ({ sessionKey, origin }, content) =>
    emitHook(ctx, 'message:received', {
      sessionKey,
      userId: origin.user ?? '',
      content,
      platform: origin.adapter ?? '',
      channel: origin.channel?.id ?? '',
    }),
  )
  events.on('sent', ({ journal: { sessionKey, origin } }, content, error) =>
    emitHook(ctx, 'message:sent', {
      sessionKey,
      content,
      platform: origin.adapter ?? '',
      channel: origin.channel?.id ?? '',
      success: error === undefined,
      ...(error === undefined ? {} : { error }),
    }),
  )
  events.on('toolEnded', ({ journal }, { call, result, ms }) => {
    const error = typeof result.output === 'string' ? result.output : 'failed'
    emitHook(ctx, 'tool:call', {
      sessionKey: journal.sessionKey,
      name: call.name,
      arguments: call.input,
      durationMs: Math.round(ms),
      success: !result.isError,
      ...(result.isError ? { error: host.redact(error) } : {}),
    })
  })
}
