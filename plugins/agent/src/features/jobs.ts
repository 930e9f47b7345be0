import { WireError } from '@mynah/contract'
import { Agent, type AgentAnswer } from '../api.js'
import { agentJobs } from '../job-action.js'
import { jobActions } from '../optional.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import type { TurnRequest, Turns } from '../turn/turns.js'

/** Offers the agent to other plugins: the service, and the job action that asks it. */
export function register(ctx: AgentContext, runtime: AgentRuntime, { turns }: { readonly turns: Turns }): void {
  const { activeTurns, events, store, transforms } = runtime
  const ask = async (request: TurnRequest): Promise<AgentAnswer> => {
    if (!runtime.models) throw new WireError('not_ready', 'The plugin ai is not ready')
    return turns.ask(request)
  }
  ctx.contribute(jobActions, agentJobs(runtime, ask))
  ctx.provide(
    Agent,
    Object.freeze<Agent>({
      ask,
      onTransformContext(transform) {
        transforms.add(transform)
        return () => void transforms.delete(transform)
      },
      stop: (id) => turns.stop(id),
      isRunning: (id) => turns.isRunning(id),
      facts: (id) => activeTurns.get(id)?.toolbox.facts,
      async endSession(key) {
        const session = await store.activeByKey(key)
        if (!session) return
        if (await store.archive(session.id)) events.emit('sessionArchived', session)
      },
      names: () => runtime.agentNames(),
      turns: () => activeTurns.all().map(({ journal: { id, sessionKey, state } }) => ({ id, sessionKey, state })),
    }),
  )
}
