/** Of one message; a picture of some megabytes passes, a schema of that size is refused later. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** From the start of a process to the end of the first exchange: some are downloaded first, ms. */
export const HANDSHAKE_MS = 60_000
/** Of a whole list of tools, ms. */
export const LIST_MS = 30_000
/** Of a sign of life, ms. */
export const PING_MS = 10_000
/** Of a call, unless configured, ms. */
export const CALL_MS = 120_000
/** Pages of one list. */
export const MAX_PAGES = 64
/** Tools of one list that are looked at; of these only so many are offered. */
export const MAX_LISTED = 10_000
/** After so many messages the next ones wait for {@link BREATH_MS}: a server that never stops talking holds up nobody. */
export const AT_ONCE = 100
/** For which nothing is read, ms. */
export const BREATH_MS = 10
