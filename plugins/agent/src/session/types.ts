// Sessions, their entries and the turns that write them, as every store keeps them.
import type { Channel } from '@mynah/contract/types'
import type {
  AssistantMessage,
  FilePart,
  Origin,
  TextPart,
  ToolDefinition,
  ToolResultPart,
  Usage,
} from '@mynah/plugin-ai/api'
import type { SectionFile, TurnState } from '../api.js'

/** One epoch of a conversation. */
export interface Session {
  readonly id: string
  readonly key: string
  readonly state: 'active' | 'archived'
  readonly title: string | null
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel | null
  /** Number of the newest entry. */
  readonly head: number
  /** The entry below which the next turn is appended; null before the first. */
  readonly leaf: number | null
  /** Somebody chose this leaf, and nothing was appended since. */
  readonly chosen: number
  /** Grows with each leaf switch and reset: what began under another one moves no leaf. */
  readonly branch: number
  /** User and assistant messages. */
  readonly messages: number
  readonly usage: Usage
  readonly created_at: number
  readonly active_at: number
}

/** A medium that stands in `data/media`, by the SHA-256 of its bytes. */
export interface StoredMedium {
  readonly type: 'media'
  readonly hash: string
  readonly mediaType: string
  readonly filename?: string
}
export type UserPart = TextPart | StoredMedium
export type ResultPart = Omit<ToolResultPart, 'output'> & {
  readonly output: string | readonly (TextPart | StoredMedium)[]
}

/** What an entry holds, by its kind. */
export type EntryBody =
  | { readonly kind: 'message'; readonly role: 'user'; readonly content: readonly UserPart[] }
  | {
      readonly kind: 'message'
      readonly role: 'assistant'
      readonly content: Exclude<AssistantMessage['content'], string> | readonly FilePart[]
    }
  | { readonly kind: 'message'; readonly role: 'tool'; readonly content: readonly ResultPart[] }
  /** System text and tools as they are sent from here on. */
  | {
      readonly kind: 'head'
      readonly content: {
        readonly system: string
        readonly tools: readonly ToolDefinition[]
        /** What the text is made of, for those who look. */ readonly sections?: readonly HeadSection[]
      }
    }
  /** What of the entries before it is sent no more. */
  | { readonly kind: 'cut'; readonly content: Cut }
  /** Stands in the place of everything before it but `kept`, the newest entries of then. */
  | {
      readonly kind: 'summary'
      readonly content: { readonly text: string; readonly kept: readonly number[]; readonly reason: string }
    }
  | { readonly kind: 'branch_summary'; readonly content: { readonly text: string } }

export interface HeadSection {
  readonly title: string
  readonly bytes: number
  readonly tokens: number
  readonly files?: readonly SectionFile[]
}

export interface Cut {
  /** Results of tools that are replaced by a placeholder. */
  readonly results?: readonly string[]
  /** Media of entries before this one are replaced by a placeholder. */
  readonly mediaBefore?: number
  /** Messages before this one are not sent. */
  readonly from?: number
}

export interface EntryMeta {
  readonly turn?: string
  readonly model?: string
  readonly usage?: Usage
  readonly sender?: { readonly id: string; readonly name: string }
  /** Row of the message. */
  readonly row?: string
  /** What the user wrote, without what the host added. */
  readonly said?: string
  /** Files that the host told of. */
  readonly files?: readonly SectionFile[]
}

export type NewEntry = EntryBody & { readonly meta?: EntryMeta }
export type Entry = EntryBody & {
  readonly n: number
  readonly parent: number | null
  readonly meta: EntryMeta
  readonly at: number
}

export interface WaitingFor {
  readonly kind: string
  readonly id: string
  readonly call?: string
  readonly text?: string
  readonly choices?: readonly string[]
  readonly expiresAt?: number
  readonly answer?: string
  /** What other calls of the turn wait for. */ readonly beside?: readonly WaitingFor[]
}

/** The journal of a turn. */
export interface Turn {
  readonly id: string
  readonly session: string
  readonly session_key: string
  /** Row of the inbound message that it answers. */
  readonly row: string | null
  /** Makes it one of its kind. */
  readonly ask_key: string | null
  readonly agent: string
  readonly origin: Origin
  readonly state: TurnState
  readonly stage: string
  readonly step: number
  readonly model: string | null
  readonly text: string
  /** The leaf at which it began, and the branch of then. */
  readonly base: number | null
  readonly branch: number
  /** Its entries, in order. */
  readonly chain: readonly number[]
  readonly waiting: WaitingFor | null
  /** The answer, once there is one. */
  readonly answer: string | null
  readonly starts: number
  readonly error: string | null
  readonly started_at: number
  readonly ended_at: number | null
}

export const OPEN_STATES: readonly TurnState[] = ['queued', 'running', 'waiting', 'delivering']

/** Where a session belongs. */
export type About = Pick<Session, 'adapter' | 'endpoint' | 'channel'> & { readonly title?: string }

export interface SessionQuery {
  readonly filter?: string
  readonly state?: Session['state']
  readonly limit: number
  readonly before?: string
}

/** Keeps sessions. The only code that writes them; a method is one commit. */
export interface SessionStore {
  readonly durable: boolean
  active(key: string): Promise<Session | undefined>
  byId(id: string): Promise<Session | undefined>
  /** The active epoch of a key, made where there is none; `created` with the epoch before it. */
  open(
    key: string,
    about: About,
  ): Promise<{ readonly session: Session; readonly created: boolean; readonly previous?: string }>
  /** Ends an epoch. What has expired is forgotten by a store that keeps nothing for good. */
  archive(id: string, expired?: boolean): Promise<void>
  list(query: SessionQuery): Promise<{ readonly rows: readonly Session[]; readonly total: number }>
  /** Entries from the last summary of the path up to `leaf`, oldest first. */
  path(session: string, leaf: number | null): Promise<readonly Entry[]>
  /** The path to `leaf`, newest first. */
  page(
    session: string,
    leaf: number | null,
    options: { readonly limit: number; readonly before?: number },
  ): Promise<readonly Entry[]>
  entry(session: string, n: number): Promise<Entry | undefined>
  /** Entries of these numbers, in order. */
  entries(session: string, numbers: readonly number[]): Promise<readonly Entry[]>
  /** Entries that nothing stands below, newest first. */
  leaves(session: string): Promise<readonly Entry[]>
  /** Adds to the leaf, where `branch` is still the session's; gives the numbers, or `undefined` where it is not. */
  place(session: string, branch: number, entries: readonly NewEntry[]): Promise<readonly number[] | undefined>
  setLeaf(session: string, leaf: number | null): Promise<void>
  /** Keeps a new turn and runs `handOver` in the same transaction. */
  begin(turn: Turn, handOver?: () => Promise<void>): Promise<void>
  turn(id: string): Promise<Turn | undefined>
  turnOfKey(key: string): Promise<Turn | undefined>
  /** Which of these rows of messages have, or had, a turn. */
  rowsOfTurns(rows: readonly string[]): Promise<ReadonlySet<string>>
  /** Changes a turn and adds entries to its chain, below `parent`; gives their numbers. */
  advance(
    turn: string,
    changes: Partial<Turn>,
    entries?: {
      readonly session: string
      readonly parent: number | null
      readonly chain: readonly number[]
      readonly list: readonly NewEntry[]
    },
  ): Promise<readonly number[]>
  /** Keeps what a turn waits for, an answer with it, and runs `handOver` in the same transaction. */
  answered(turn: string, waiting: WaitingFor | null, handOver?: () => Promise<void>): Promise<void>
  /** Adds the last entries, puts the chain below the leaf of now and moves the leaf, unless the branch is another; `aside` leaves the chain where it began. */
  close(
    turn: Turn,
    entries: readonly NewEntry[],
    parent: number | null,
    changes: Partial<Turn>,
    aside?: boolean,
  ): Promise<{ readonly chain: readonly number[]; readonly moved: boolean }>
  /** Opens an ended turn again where nothing was said after it; gives it as it is then. */
  reopen(turn: Turn): Promise<Turn | undefined>
  turns(options: { readonly open?: boolean; readonly limit: number }): Promise<readonly Turn[]>
  addUsage(session: string, usage: Usage): Promise<void>
  /** Deletes archived epochs, and ended turns, that are older. */
  prune(archivedBefore: number, turnsBefore: number): Promise<void>
  /** Active epochs that were idle since before. */
  idle(before: number): Promise<readonly Session[]>
}
