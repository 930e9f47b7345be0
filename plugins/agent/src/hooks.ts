import { hook } from '@mynah/kernel'

interface HookBase {
  readonly type: string
  readonly sessionKey?: string
  /** Milliseconds since the epoch. */ readonly timestamp: number
}
/** Payloads of the AI hooks by their name. */
export interface AIHooks {
  'message:received': HookBase & {
    readonly userId: string
    readonly content: string
    readonly platform: string
    readonly channel: string
  }
  'message:sent': HookBase & {
    readonly content: string
    readonly platform: string
    readonly channel: string
    readonly success: boolean
    readonly error?: string
  }
  'ai.session.compact': HookBase & {
    readonly sessionId: string
    readonly reason: string
    readonly messagesBefore: number
    readonly messagesAfter: number
    readonly tokensBefore: number
    readonly tokensAfter: number
    readonly summary: string
  }
  'ai.session.new': HookBase & { readonly sessionId: string; readonly previousSessionId?: string }
  'agent:bootstrap': HookBase & {
    readonly tools: readonly string[]
    readonly skills: readonly string[]
    readonly files: readonly string[]
  }
  'tool:call': HookBase & {
    readonly name: string
    readonly arguments: unknown
    readonly durationMs: number
    readonly success: boolean
    readonly error?: string
  }
}
/** The name of a hook of the agent. */
export type AIHookName = keyof AIHooks
/** Returns the kernel hook behind an AI hook. */
export const aiHook = <K extends AIHookName>(name: K) => hook<AIHooks[K]>(name)

type Handler = (payload: never) => unknown
const SLOT = Symbol.for('mynah.agent.hooks')
const slot = globalThis as { [SLOT]?: Map<string, Set<Handler>> }
const registered = (): Map<string, Set<Handler>> => (slot[SLOT] ??= new Map())

/**
 * Registers a handler of an AI hook, also at the top level of a module and before the agent runs. Returns its undo.
 *
 * @example
 * const undo = registerAIHook('message:received', ({ userId, content }) => console.log(userId, content))
 */
export function registerAIHook<K extends AIHookName>(event: K, handler: (payload: AIHooks[K]) => unknown): () => void {
  const handlers = registered()
  let set = handlers.get(event)
  if (!set) handlers.set(event, (set = new Set()))
  set.add(handler)
  return () => void set.delete(handler)
}

/** Calls the handlers that modules of this process have registered. Their failures go to `onError`. */
export function notifyHooks<K extends AIHookName>(
  event: K,
  payload: AIHooks[K],
  onError: (error: unknown) => void,
): void {
  // A handler may remove itself while it runs.
  for (const handler of Array.from(registered().get(event) ?? [])) {
    try {
      Promise.resolve((handler as (payload: AIHooks[K]) => unknown)(payload)).catch(onError)
    } catch (error) {
      onError(error)
    }
  }
}
