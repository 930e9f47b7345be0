// Room in the window: made in stages when a request overflows, and after an answer for what comes next.
import type { Candidate, Usage } from '@mynah/plugin-ai/api'
import { oldResults } from '../compaction/compactor.js'
import { oldMedia } from '../compaction/old-media.js'
import type { Chain } from './chain.js'
import type { RunnerDeps } from './deps.js'
import type { LiveTurn } from './live.js'

/** Overflows of one turn that are met; then it fails visibly. */
export const OVERFLOW_STAGES = 3
/** Tokens that stay free for an answer. */
const RESERVE = 16_384

export interface Room {
  readonly deps: RunnerDeps
  readonly chain: Chain
  readonly live: LiveTurn
  readonly candidates: readonly Candidate[]
}

/** First the results of tools and old media go, then a summary stands for what was said, then the oldest messages go. */
export async function makeRoom(room: Room, stage: number): Promise<void> {
  const { deps, chain, live, candidates } = room
  deps.phase(live, 'overflow', { stage })
  live.message?.step('model', candidates[0]?.model ?? '', 'overflow', `stage ${stage + 1}`)
  if (stage === 0) {
    const results = oldResults(chain.path, 1)
    const mediaBefore = oldMedia(chain.path)
    if (results.length || mediaBefore !== undefined) {
      deps.broke('cut')
      return chain.append([
        { kind: 'cut', content: { results, ...(mediaBefore === undefined ? {} : { mediaBefore }) } },
      ])
    }
  }
  const session = await deps.store().byId(live.journal.session)
  if (!session) return
  if (stage <= 1 && (await deps.compactor.compact(session, 'overflow', candidates, { signal: live.control.signal })))
    return rebase(room)
  if (await deps.compactor.cut(session, Math.floor(deps.config()['ai.agent'].compaction.keepRecentTokens / 4))) {
    deps.broke('cut')
    await rebase(room)
  }
}

/** Goes on below the leaf of now, unless somebody has switched the session meanwhile. */
async function rebase({ deps, chain, live }: Room): Promise<void> {
  const session = await deps.store().byId(live.journal.session)
  if (!session || session.branch !== live.journal.branch) return
  chain.base = await deps.store().path(session.id, session.leaf)
  await chain.change({ base: session.leaf })
}

/** After the answer: a summary where the window fills or messages are many. */
export async function makeRoomLater({ deps, chain, live, candidates }: Room, usage: Usage | undefined): Promise<void> {
  const { compaction, maxHistoryShare, contextTokens } = deps.config()['ai.agent']
  const context = deps.config()['ai.context']
  if (live.request?.sessionKey === undefined && !live.message) return
  const [best] = candidates
  const window = (best && deps.models()?.model(best)?.contextWindow) ?? contextTokens
  const used = usage ? usage.input + usage.output : 0
  const messages = chain.path.filter((entry) => entry.kind === 'message' && entry.role !== 'tool').length
  const reason =
    compaction.enabled &&
    compaction.auto &&
    (used > window * maxHistoryShare || used > window - Math.min(RESERVE, window / 4))
      ? 'window'
      : context.enabled && messages > context.summaryThreshold
        ? 'count'
        : undefined
  const session = reason && (await deps.store().byId(live.journal.session))
  if (session) void deps.compactor.compact(session, reason, candidates)
}
