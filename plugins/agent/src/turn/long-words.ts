import { messageOf } from '@mynah/kernel'
import type { AgentRuntime } from '../runtime.js'
import { estimateTokens } from '../compaction/plan.js'
import { headAndTail, MAX_BYTES } from '../view/head-and-tail.js'
import type { LiveTurn } from './live-turn.js'
import { currentRoles } from './roles.js'

/** The share of a window that the words of one message may take. */
const WINDOW_SHARE = 0.25
/** Bytes of a token at most: a letter of an East Asian script. */
const TOKEN_BYTES = 3

/** Stores the words of a message whole. Returns their path for `read_file`, where the sender may use that. */
export async function keepWords(runtime: AgentRuntime, live: LiveTurn, words: string): Promise<string | undefined> {
  const { id, origin } = live.journal
  const call = { turn: id, id: `message-${live.message?.id ?? ''}`, roles: currentRoles(runtime, live), origin }
  try {
    return await runtime.kept?.keep(words, call)
  } catch (error) {
    // A part of the message is still useful.
    runtime.log.warn(`failed to store a long message: ${messageOf(error)}`)
    return undefined
  }
}

/**
 * Returns the words of a message for a window. Of those that would fill it, the beginning and the end are shown, and
 * all of them are in a file.
 */
export async function fittingWords(
  runtime: AgentRuntime,
  live: LiveTurn,
  words: string,
  windowTokens: number,
): Promise<string> {
  const most = windowTokens * WINDOW_SHARE
  // Most messages are far too short to be counted.
  if (words.length <= most || estimateTokens(words) <= most) return words
  const path = await keepWords(runtime, live, words)
  const note = path === undefined ? '' : `; all of it: read_file ${path}`
  return headAndTail(words, note, Math.min(MAX_BYTES, most * TOKEN_BYTES))
}
