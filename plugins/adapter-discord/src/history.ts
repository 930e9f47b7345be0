import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { pause } from '@mynah/kernel/util'
import type { Directory } from './directory.js'
import type { Events } from './events.js'
import type { Positions } from './positions.js'
import { DiscordError, type Rest } from './rest.js'
import { idOf, listOf, type Fields } from './wire.js'

const PAGE = 100
/** Pages of one channel that are read. */
const MAX_PAGES = 50

export interface HistoryOptions {
  readonly rest: Rest
  readonly directory: Directory
  readonly positions: Positions
  readonly events: Events
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Receives what was said in the known channels while there was no session, oldest first. */
export async function catchUp(options: HistoryOptions): Promise<void> {
  const { directory, positions, log } = options
  for (const [channel, last] of positions.lastMessages()) {
    try {
      if (await directory.get(channel)) await catchUpIn(options, channel, last)
      else positions.forgetChannel(channel)
    } catch (error) {
      if (!(error instanceof DiscordError) || (error.status !== 403 && error.status !== 404)) throw error
      log.warn(`failed to read the history of the channel ${channel}: ${messageOf(error)}`)
      positions.forgetChannel(channel)
    }
  }
}

async function catchUpIn(options: HistoryOptions, channel: string, last: string): Promise<void> {
  let after = last
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await pageOf(options, `/channels/${channel}/messages?after=${after}&limit=${PAGE}`)
    // Discord's order is the newest first.
    const ordered = found
      .filter(({ id }) => idOf(id) !== undefined)
      .sort((a, b) => (BigInt(String(a.id)) < BigInt(String(b.id)) ? -1 : 1))
    for (const message of ordered) await options.events.message({ ...message, channel_id: channel }, {}, true)
    const next = idOf(ordered.at(-1)?.id)
    if (found.length < PAGE || next === undefined) return
    after = next
  }
  options.log.warn(`more than ${PAGE * MAX_PAGES} messages were missed in the channel ${channel}`)
}

/** Asks for a page, and waits where Discord limits the rate. */
async function pageOf({ rest, clock, signal }: HistoryOptions, at: string): Promise<Fields[]> {
  for (;;) {
    try {
      return listOf(await rest.get(at))
    } catch (error) {
      if (!(error instanceof DiscordError) || error.retryAfter === undefined) throw error
      await pause(error.retryAfter, clock, signal)
      signal.throwIfAborted()
    }
  }
}
