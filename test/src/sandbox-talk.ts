// Talks to the bot of a whole host as a user of its sandbox.
import { setTimeout } from 'node:timers/promises'
import type { WholeHost } from './whole-host.js'

/** The sender and the channel of a message. */
export interface Where {
  readonly channel?: { readonly type: 'private' | 'group' | 'channel'; readonly id: string }
  readonly user?: string
}
interface Row {
  readonly messageId: string
  readonly direction: 'in' | 'out'
  readonly text: string
}

const placeOf = ({ user = 'alice', channel = { type: 'private', id: user } }: Where) => ({
  endpointId: 'sandbox',
  channel,
})

/** Returns the last messages of the bot there, oldest first. */
async function heard(host: WholeHost, where: Where): Promise<Row[]> {
  const { json } = await host.rpc('sandbox:history', { data: { ...placeOf(where), limit: 100 } })
  const { messages } = json['data'] as { messages: Row[] }
  return messages.filter(({ direction }) => direction === 'out')
}

/** Sends a message, by default as the owner in private. Returns its id. */
async function tell(host: WholeHost, content: unknown, where: Where = {}): Promise<string> {
  const { json } = await host.rpc('sandbox:send', {
    data: { ...placeOf(where), sender: { id: where.user ?? 'alice' }, content },
  })
  return (json['data'] as { messageId: string }).messageId
}

/** Says something; gives what the bot has said there until all of it has ended. */
export async function say(host: WholeHost, content: unknown, where: Where = {}): Promise<string[]> {
  const before = new Set((await heard(host, where)).map(({ messageId }) => messageId))
  const messageId = await tell(host, content, where)
  for (;;) {
    const { json } = await host.rpc('chat:traces', { messageId })
    if ((json['data'] as { traces: { endedAt?: number }[] }).traces[0]?.endedAt !== undefined)
      return (await heard(host, where)).filter((row) => !before.has(row.messageId)).map(({ text }) => text)
    await setTimeout(10)
  }
}
