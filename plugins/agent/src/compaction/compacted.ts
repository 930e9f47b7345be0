import type { Session } from '../session/types.js'

export type CompactionReason = 'command' | 'window' | 'count' | 'overflow'

/** The outcome of a compaction. */
export interface Compacted {
  readonly session: Session
  readonly reason: CompactionReason
  readonly messagesBefore: number
  readonly messagesAfter: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly summary: string
}
