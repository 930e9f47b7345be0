/** Size of one message. A picture of some megabytes fits. A schema of that size is rejected later. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** Time from the start of a process to the end of the handshake, in milliseconds. Some servers download first. */
export const HANDSHAKE_MS = 60_000
/** Time for all pages of a list of tools, in milliseconds. */
export const LIST_MS = 30_000
/** Time for a ping, in milliseconds. */
export const PING_MS = 10_000
/** Default time for a call, in milliseconds. */
export const CALL_MS = 120_000
/** Most pages of one list. */
export const MAX_PAGES = 64
/** Most tools of one list that are read. Fewer are offered. */
export const MAX_LISTED = 10_000
/** Messages that are read in one go, so that a server that floods its output does not block the host. */
export const AT_ONCE = 100
/** Pause after {@link AT_ONCE} messages, in milliseconds. */
export const BREATH_MS = 10
