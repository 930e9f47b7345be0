import { beforeCompaction } from '../api.js'
import { Compactor } from '../compaction/compactor.js'
import { harnessOf, hasSkillTools } from '../harness.js'
import { audienceOf, buildSystemPrompt, currentPrompt } from '../prompt/system-prompt.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import { agentOfKey } from '../session/key.js'
import type { Entry, PromptEntry, Session } from '../session/types.js'
import { visibleTools } from '../tools/selection.js'
import { agentByName } from '../turn/agent-selection.js'
import { buildView } from '../view/view.js'
import { emitHook } from './hooks.js'
import { publishSession } from './stream.js'

/** Messages of users by which the tools of a new prompt are selected. */
const RECENT_MESSAGES = 3

/** Compacts sessions, and notifies hooks before and after. */
export function register(ctx: AgentContext, runtime: AgentRuntime): { readonly compactor: Compactor } {
  const compactor = new Compactor(runtime, {
    buildPrompts: (session, path) =>
      Promise.all(audiencesOf(path).map((roles) => buildPrompt(runtime, session, path, roles))),
    beforeCompaction: (session, path, candidates, signal) =>
      ctx.parallel(beforeCompaction, {
        sessionKey: session.key,
        agent: agentOfKey(session.key),
        messages: buildView(path).messages,
        candidates,
        isOwnersChat: isOwnersChat(runtime, session, path),
        signal,
      }),
  })
  runtime.events.on('compacted', ({ session, reason, ...figures }) => {
    runtime.events.emit('prefixBroken', 'summary')
    emitHook(ctx, 'ai.session.compact', { sessionKey: session.key, sessionId: session.id, reason, ...figures })
    publishSession(ctx, session.key, session.id, 'compact')
  })
  return { compactor }
}

/** Returns the roles of each audience that has a prompt, that of the newest one last. */
function audiencesOf(path: readonly Entry[]): ReadonlySet<string>[] {
  const known = path.flatMap((entry) => (entry.kind === 'prompt' ? (entry.content.audience ?? []) : []))
  const newestLast = [...new Set(known.reverse())].reverse()
  return (newestLast.length ? newestLast : ['user']).map((audience) => new Set(audience.split('+')))
}

/** Builds the prompt of a session for one audience, outside a turn. */
async function buildPrompt(
  runtime: AgentRuntime,
  session: Session,
  path: readonly Entry[],
  roles: ReadonlySet<string>,
): Promise<PromptEntry> {
  const { config, presets, tools, models } = runtime
  const own = agentOfKey(session.key)
  const name = own ?? 'main'
  const [best] = await runtime.candidatesFor(name, session.model)
  const harness = harnessOf(
    config,
    best ?? { provider: '', model: '' },
    hasSkillTools(tools),
    best && models?.model(best),
  )
  const { adapter, endpoint, channel } = session
  const agent = agentByName(name, config, presets)
  return buildSystemPrompt(
    runtime,
    {
      session: session.key,
      origin: { adapter, endpoint, ...(channel ? { channel } : {}), ...(own === undefined ? {} : { agent: own }) },
      roles,
      isOwnersChat: roles.has('master') && isOwnersChat(runtime, session, path),
      agent: name,
      text: recentWords(path),
      size: harness.size,
      maxSkills: harness.maxSkills,
    },
    {
      tools: visibleTools(tools, [agent.config], harness),
      harness,
      toolSearch: config['ai.agent'].toolSearch,
      preset: agent.preset,
      before: currentPrompt(path, audienceOf(roles)),
    },
  )
}

/** Returns whether the conversation is private and everybody who spoke in it is a master. */
function isOwnersChat(
  { chat }: AgentRuntime,
  { adapter, endpoint, channel }: Session,
  path: readonly Entry[],
): boolean {
  const people = path.flatMap(({ meta }) => (meta.sender ? [meta.sender.id] : []))
  return (
    channel?.type === 'private' &&
    people.length > 0 &&
    people.every((id) => chat?.rolesOf(adapter, endpoint, id).has('master') === true)
  )
}

function recentWords(path: readonly Entry[]): string {
  return path
    .flatMap((entry) => (entry.kind === 'message' && entry.role === 'user' && entry.meta.said ? [entry.meta.said] : []))
    .slice(-RECENT_MESSAGES)
    .join('\n')
}
