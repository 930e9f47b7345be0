import { messageOf } from '@mynah/kernel'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import type { Turn } from '../session/types.js'
import { textsFor } from '../texts.js'

/** Tells people who write to a conversation in which a turn waits for a person, once for each wait and person. */
export function register({ log }: AgentContext, runtime: AgentRuntime): void {
  runtime.events.on('received', (turn) => {
    void tell(runtime, turn).catch((error: unknown) =>
      log.warn(`failed to tell a chat that a turn waits: ${messageOf(error)}`, { turn: turn.id }),
    )
  })
}

async function tell({ activeTurns, chat }: AgentRuntime, { id, session, origin }: Turn): Promise<void> {
  const { adapter, endpoint, channel, user } = origin
  if (!chat || adapter === undefined || endpoint === undefined || !channel) return
  // A message that is added to the waiting turn is acknowledged there.
  await Promise.resolve()
  if (activeTurns.ofSession(session).some((live) => live.journal.id !== id && live.holds(id))) return
  const texts = textsFor(chat.locale).waits
  for (const { journal, waits } of activeTurns.ofSession(session)) {
    const text = waits.newest && texts[waits.newest.kind as keyof typeof texts]
    if (journal.id !== id && waits.newest && text !== undefined)
      await chat.send(adapter, endpoint, channel, text, { key: `waits/${waits.newest.id}/${user}` })
  }
}
