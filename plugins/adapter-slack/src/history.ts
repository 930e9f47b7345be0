import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { pause, SerialQueue } from '@mynah/kernel/util'
import { SlackError, type SlackApi } from './api.js'
import type { EndpointHandle } from '@mynah/plugin-chat/api'
import type { Directory } from './directory.js'
import type { Events } from './events.js'
import type { Lanes } from './lanes.js'
import type { Place, Positions } from './positions.js'
import { countOf, fieldsOf, listOf, textOf, timeOf, tsOf, type Fields } from './wire.js'

const PAGE = 200
/** Pages of one place that are read. */
const MAX_PAGES = 25
/** Threads are read if their last message is younger. */
const OPEN_MS = 86_400_000
/** Channels that are listed, and those in which nothing was said yet that are read. */
const MAX_ROOMS = 1_000
const MAX_OTHERS = 128
/** The cursor with the time of the last connection. */
const SINCE = 'since'
/** Words for places that are not there any more, or that the bot may not read. */
const GONE = /^(?:channel_not_found|not_in_channel|thread_not_found|is_archived|access_denied|missing_scope)$/

export interface HistoryOptions {
  readonly api: SlackApi
  readonly positions: Positions
  readonly events: Events
  readonly lanes: Lanes
  readonly directory: Directory
  readonly cursor: EndpointHandle['cursor']
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/**
 * Returns where something may have been said since the last connection: the places that are known, and the other
 * channels of the bot. Without an earlier connection everything would be news.
 */
export async function missedPlaces(options: HistoryOptions): Promise<Place[]> {
  const { positions, directory, clock, cursor, log } = options
  const since = tsOf(await cursor.get(SINCE))
  if (since === undefined) {
    await cursor.set({ [SINCE]: sinceOf(options) })
    return []
  }
  const opened = clock.now() - OPEN_MS
  const known = positions.all().filter(({ thread, last }) => thread === undefined || timeOf(last) > opened)
  const channels = new Set(known.map(({ channel }) => channel))
  try {
    const rooms = await directory.rooms('public_channel,private_channel,mpim,im', MAX_ROOMS)
    const others = rooms.filter(({ id }) => !channels.has(String(id))).slice(0, MAX_OTHERS)
    return [...known, ...others.map(({ id }) => ({ channel: String(id), last: since }))]
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    log.warn(`failed to list the channels of the bot, so only known ones are read: ${messageOf(error)}`)
    return known
  }
}

/** A second earlier, since Slack's time has no parts of seconds. */
const sinceOf = ({ api }: HistoryOptions): string => `${api.serverTime - 1}.000000`

/**
 * Receives what was said in these places while there was no connection. New messages of a channel wait until
 * that channel is read.
 */
export async function catchUp(options: HistoryOptions, places: readonly Place[]): Promise<void> {
  const { positions, lanes, signal, log, cursor } = options
  const queue = new SerialQueue()
  const next = sinceOf(options)
  const work = places.map((place) =>
    lanes.run(place.channel, () =>
      queue.run(async () => {
        if (signal.aborted) return
        try {
          await read(options, place.channel, place.thread, place.last)
        } catch (error) {
          if (signal.aborted) return
          if (!(error instanceof SlackError) || !GONE.test(error.code)) throw error
          log.warn(`failed to read the history of ${place.channel}: ${messageOf(error)}`)
          if (error.code !== 'missing_scope') positions.forget(place)
        }
      }),
    ),
  )
  await Promise.all(work)
  if (!signal.aborted && work.length > 0) await cursor.set({ [SINCE]: next })
}

/** Receives what is newer in a channel, with its new threads, or in one thread. */
async function read(options: HistoryOptions, channel: string, thread: string | undefined, last: string): Promise<void> {
  const { api, events, log } = options
  const found: Fields[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && cursor !== ''; page++) {
    const method = thread === undefined ? 'conversations.history' : 'conversations.replies'
    const args = { channel, ts: thread, oldest: last, limit: PAGE, cursor }
    const answer = await untilTaken(options, () => api.call(method, args))
    found.push(...listOf(answer.messages))
    cursor = textOf(fieldsOf(answer.response_metadata).next_cursor, 1_000)
  }
  if (cursor !== '') log.warn(`more than ${PAGE * MAX_PAGES} messages were missed in ${channel}`)
  const ordered = found
    .filter(({ ts }) => tsOf(ts) !== undefined && Number(ts) > Number(last))
    .sort((a, b) => Number(a.ts) - Number(b.ts))
  for (const message of ordered) {
    options.signal.throwIfAborted()
    await events.message(message, channel, true)
    if (thread === undefined && (countOf(message.reply_count) ?? 0) > 0)
      await read(options, channel, message.ts as string, message.ts as string)
  }
}

/** Calls until Slack does not limit the rate. */
async function untilTaken<T>({ clock, signal }: HistoryOptions, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof SlackError) || error.retryAfter === undefined) throw error
      await pause(error.retryAfter, clock, signal)
      signal.throwIfAborted()
    }
  }
}
