import type { Channel } from '@mynah/contract/types'
import type {
  AssistantMessage,
  FilePart,
  Origin,
  TextPart,
  ToolDefinition,
  ThinkingLevel,
  ToolResultPart,
  Usage,
} from '@mynah/plugin-ai/api'
import type { SectionFile, TurnState } from '../api.js'

/** One epoch of a conversation: from its start, or from a reset, to the next reset. */
export interface Session {
  readonly id: string
  readonly key: string
  readonly state: 'active' | 'archived'
  readonly title: string | null
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel | null
  /** Number of the newest entry. */
  readonly lastSeq: number
  /** The entry below which the next turn is appended; null before the first. */
  readonly leaf: number | null
  /** Whether a person chose this leaf and no turn was appended since. */
  readonly isPinned: boolean
  /** Grows with each leaf switch and reset. A turn that began under another version does not move the leaf. */
  readonly branchVersion: number
  /** User and assistant messages. */
  readonly messages: number
  readonly usage: Usage
  /** `alias:model` where a person chose one; else that of the agent answers. */
  readonly model: string | null
  /** How much the model thinks, where a person chose that. */
  readonly thinking: ThinkingLevel | null
  readonly createdAt: number
  readonly activeAt: number
}

/** The choice of a person for a conversation. */
export type SessionChoice = Partial<Pick<Session, 'model' | 'thinking'>>

/** A medium in `data/media`, by the SHA-256 of its bytes. */
export interface StoredMedium {
  readonly type: 'media'
  readonly hash: string
  readonly mediaType: string
  readonly filename?: string
  /** The text of a PDF, for models that do not take PDF. */
  readonly text?: string
}
/** The text of a document that a person sent, in a mark of its own. */
export interface DocumentPart extends TextPart {
  readonly isDocument: true
}
export type UserPart = TextPart | DocumentPart | StoredMedium
export type ResultPart = Omit<ToolResultPart, 'output'> & {
  readonly output: string | readonly (TextPart | StoredMedium)[]
}

/** The content of an entry, by its kind. */
export type EntryBody =
  | { readonly kind: 'message'; readonly role: 'user'; readonly content: readonly UserPart[] }
  | {
      readonly kind: 'message'
      readonly role: 'assistant'
      readonly content: Exclude<AssistantMessage['content'], string> | readonly FilePart[]
    }
  | { readonly kind: 'message'; readonly role: 'tool'; readonly content: readonly ResultPart[] }
  /** System text and tools, exactly as they are sent from here on. */
  | { readonly kind: 'prompt'; readonly content: PromptContent }
  /** Parts of earlier entries that are no longer sent. */
  | { readonly kind: 'cut'; readonly content: Trim }
  /** Replaces everything before it but `kept`, the entries that were the newest then. */
  | {
      readonly kind: 'summary'
      readonly content: { readonly text: string; readonly kept: readonly number[]; readonly reason: string }
    }
  | { readonly kind: 'branch_summary'; readonly content: { readonly text: string } }

interface PromptContent {
  readonly system: string
  /** The chosen tools by name, and then those that were found, in this order. */
  readonly tools: readonly ToolDefinition[]
  /** The number of chosen tools; default all. */
  readonly chosen?: number
  /** Names of all tools that there were, also of those that it leaves out. */
  readonly known?: readonly string[]
  /** For whom it is: the roles of the sender, sorted and joined. A prompt without it is not used. */
  readonly audience?: string
  /** The parts of the system text with their sizes, for `/context`. */
  readonly sections?: readonly PromptPart[]
}

/** A part of the system text and its size. */
export interface PromptPart {
  readonly title: string
  readonly bytes: number
  readonly tokens: number
  readonly files?: readonly SectionFile[]
}

interface Trim {
  /** Ids of the tool results that a placeholder replaces. */
  readonly results?: readonly string[]
  /** Media of entries before this number are replaced by a placeholder. */
  readonly mediaBefore?: number
  /** Messages before this number are not sent. */
  readonly from?: number
  /** Messages of turns without a whole answer that are not sent, since the model refuses requests with them. */
  readonly unanswered?: readonly number[]
  /** Texts that are too long for the window. */
  readonly shortened?: readonly Shortened[]
}

/** Long texts of messages and results of which the beginning and the end are sent. */
export interface Shortened {
  /** The number of the first entry that it does not concern. */
  readonly before: number
  /** How much of a text is sent at most. */
  readonly bytes: number
  /** The file that has the whole text of an entry. */
  readonly file?: { readonly seq: number; readonly path: string }
}

export interface EntryMeta {
  readonly turn?: string
  readonly model?: string
  readonly usage?: Usage
  readonly sender?: { readonly id: string; readonly name: string }
  /** Row of the message. */
  readonly row?: string
  /** Whether it has words of people without a role. */
  readonly strangers?: boolean
  /** The words of the user, without what the host added. */
  readonly said?: string
  /** The end of the turn has cut this answer off. */
  readonly partial?: true
  /** The model has not ended this answer: its filter has, or the stream broke. */
  readonly broken?: true
  /** Files that were sent with the message. */
  readonly files?: readonly SectionFile[]
}

export type NewEntry = EntryBody & { readonly meta?: EntryMeta }
export type PromptEntry = NewEntry & { readonly kind: 'prompt' }
export type Entry = EntryBody & {
  /** Number of the entry in its session, from 1. */
  readonly seq: number
  readonly parent: number | null
  readonly meta: EntryMeta
  readonly at: number
}
export type MessageEntry = Entry & { readonly kind: 'message' }

/** A wait of a tool call. */
export interface WaitingFor {
  readonly kind: string
  readonly id: string
  readonly call?: string
  readonly text?: string
  readonly choices?: readonly string[]
  readonly expiresAt?: number
  readonly answer?: string
  /** Row of the message that answered. */
  readonly answerRow?: string
  /** Waits of other calls of the turn. */
  readonly beside?: readonly WaitingFor[]
}

/** The journal of a turn. */
export interface Turn {
  readonly id: string
  readonly session: string
  readonly sessionKey: string
  /** Row of the inbound message that the turn answers. */
  readonly row: string | null
  /** Key of {@link AgentRequest}: a second request with it gets this turn. */
  readonly askKey: string | null
  readonly agent: string
  readonly origin: Origin
  readonly state: TurnState
  readonly stage: string
  readonly step: number
  readonly model: string | null
  readonly text: string
  /** The leaf at which the turn began. */
  readonly baseSeq: number | null
  /** The branch version of the session when the turn began. */
  readonly branchVersion: number
  /** Numbers of the turn's entries, in order. */
  readonly entrySeqs: readonly number[]
  readonly waiting: WaitingFor | null
  /** The answer, once there is one. */
  readonly answer: string | null
  /** How many starts have done work. A start that only waits, as the one before it did, does not count. */
  readonly attempts: number
  /** A number that each start draws. A step is stored only under the newest claim, so that one owner acts. */
  readonly claim: number
  readonly error: string | null
  readonly startedAt: number
  readonly endedAt: number | null
  /** The process that works on it, in a cluster. */
  readonly host?: string | null
}

/** A turn, and the claim under which its owner changes it. */
export type ClaimedTurn = Pick<Turn, 'id' | 'claim'>

/** Whether the entries of a turn have joined the conversation, or have been left aside, for good. */
export const isClosed = ({ state, endedAt }: Pick<Turn, 'state' | 'endedAt'>): boolean =>
  endedAt !== null || state === 'delivering'

/** The changes with which an ended turn becomes open again. */
export const REOPENED = {
  state: 'queued',
  stage: 'queued',
  error: null,
  endedAt: null,
} as const satisfies Partial<Turn>

/** The conversation that a session belongs to. */
export type SessionTarget = Pick<Session, 'adapter' | 'endpoint' | 'channel'> & { readonly title?: string }

export interface OpenedSession {
  readonly session: Session
  readonly created: boolean
  /** Id of the epoch before a created one. */
  readonly previous?: string
}

/** The places of some sessions. */
export interface SessionPlaces {
  /** Places of endpoints. */
  readonly endpoints: readonly string[]
  /** Also the sessions that are of none of these endpoints. */
  readonly butOf?: readonly string[]
}

export interface SessionQuery {
  readonly filter?: string
  readonly state?: Session['state']
  readonly at?: SessionPlaces
  readonly limit: number
  readonly before?: string
}

/** Which entries are looked for. */
export interface SaidQuery {
  /** All of them must occur, in any order; see `searchWords`. */
  readonly words: readonly string[]
  readonly limit: number
  /** Continues a search after this entry of this session. */
  readonly after?: SaidPlace
}

/** A place in a session. */
export interface SaidPlace {
  readonly session: string
  readonly seq: number
}

export interface SaidPage {
  /** By session, the last active first, and in each the newest first. */
  readonly found: readonly { readonly session: string; readonly entry: Entry }[]
  /** Where the search continues: it ends at a bound even when nothing was found. Absent at its end. */
  readonly next?: SaidPlace
}

/** Entries that a turn appends. */
export interface TurnAppend {
  readonly session: string
  readonly parent: number | null
  /** Numbers of the entries that the turn has already. */
  readonly entrySeqs: readonly number[]
  readonly list: readonly NewEntry[]
  /** A turn that ends in the same commit, since these entries hold its message. */
  readonly ends?: { readonly turn: ClaimedTurn; readonly changes: Partial<Turn> }
}

/** A session whose entries had formed a ring, and the entry whose parent was changed to open it. */
export interface MendedRing {
  readonly session: string
  readonly entry: number
  readonly parent: number | null
}

/** The outcome of {@link SessionStore.closeTurn}. */
export interface ClosedTurn {
  /** The turn as it is stored now. */
  readonly turn: Turn
  /** Whether its entries were moved below the leaf. */
  readonly moved: boolean
}

/**
 * Stores sessions, entries and turns. No other code writes them. Each method is one commit. Every change of a turn
 * holds only while the turn is open and its claim is the newest; otherwise the method throws a `TurnLost`.
 */
export interface SessionStore {
  /** Whether sessions survive a stop of the host. */
  readonly durable: boolean
  activeByKey(key: string): Promise<Session | undefined>
  byId(id: string): Promise<Session | undefined>
  /** Returns the active epoch of a key, and creates it when there is none. */
  open(key: string, target: SessionTarget): Promise<OpenedSession>
  /**
   * Archives an active epoch. Returns false where it is archived already, or was active after `seenAt`.
   *
   * @param expired whether a store without durability deletes it
   */
  archive(id: string, options?: { readonly expired?: boolean; readonly seenAt?: number }): Promise<boolean>
  list(query: SessionQuery): Promise<{ readonly rows: readonly Session[]; readonly total: number }>
  /** Returns the entries from the last summary of the path up to `leaf`, oldest first. */
  path(session: string, leaf: number | null): Promise<readonly Entry[]>
  /** Returns the path to `leaf`, newest first. */
  page(
    session: string,
    leaf: number | null,
    options: { readonly limit: number; readonly before?: number },
  ): Promise<readonly Entry[]>
  entry(session: string, seq: number): Promise<Entry | undefined>
  /** Returns the entries with these numbers, in order. */
  entries(session: string, seqs: readonly number[]): Promise<readonly Entry[]>
  /** Returns the first message of a person in each of these sessions, by the session's id. */
  firstMessages(sessions: readonly string[]): Promise<ReadonlyMap<string, Entry>>
  /** Finds what people and models said, on all branches. */
  search(query: SaidQuery): Promise<SaidPage>
  /** Returns the entries without children, newest first. */
  leaves(session: string): Promise<readonly Entry[]>
  /** Appends to the leaf. Returns the numbers, or `undefined` when the session has another branch version. */
  append(session: string, branchVersion: number, entries: readonly NewEntry[]): Promise<readonly number[] | undefined>
  /** Makes an entry the leaf of an active session. Returns whether the session is active. */
  setLeaf(session: string, leaf: number | null): Promise<boolean>
  /** Stores a new turn and runs `handOver` in the same transaction. */
  createTurn(turn: Turn, handOver?: () => Promise<void>): Promise<void>
  turn(id: string): Promise<Turn | undefined>
  turnByKey(askKey: string): Promise<Turn | undefined>
  /** Returns those of the message rows that have, or had, a turn. */
  answeredRows(rows: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Takes a turn under a new claim. A repeated call with the same claim has the same outcome. Returns the turn, or
   * `undefined` where it has ended or another start has taken it.
   */
  claimTurn(turn: Turn, changes: Partial<Turn> & Pick<Turn, 'claim'>): Promise<Turn | undefined>
  /** Changes a turn and appends entries to it. Returns the numbers of the entries. */
  updateTurn(turn: ClaimedTurn, changes: Partial<Turn>, append?: TurnAppend): Promise<readonly number[]>
  /** Stores what a turn waits for, with an answer, and runs `handOver` in the same transaction. */
  recordAnswer(turn: ClaimedTurn, waiting: WaitingFor | null, handOver?: () => Promise<void>): Promise<void>
  /**
   * Appends the last entries, moves all entries of the turn below the current leaf and makes the last one the leaf.
   * They stay where the turn began when the branch version has changed, when the leaf is below them, or with
   * `aside`. The first close counts: a turn that is closed already is returned as it is.
   */
  closeTurn(
    turn: Turn,
    entries: readonly NewEntry[],
    parent: number | null,
    changes: Partial<Turn>,
    aside?: boolean,
  ): Promise<ClosedTurn>
  /** Opens an ended turn again. Returns `undefined` when it is open, or when the conversation has moved on since. */
  reopenTurn(turn: Turn): Promise<Turn | undefined>
  /** Returns the newest turns, the newest first. */
  turns(options: { readonly open?: boolean; readonly limit: number }): Promise<readonly Turn[]>
  /** Returns open turns after the one with this id, the oldest first. */
  openTurns(options: { readonly after?: string; readonly limit: number }): Promise<readonly Turn[]>
  addUsage(session: string, usage: Usage): Promise<void>
  /**
   * Changes what was chosen for an active epoch. Returns whether it did.
   *
   * @param was changes it only where this is the chosen model
   */
  choose(session: string, choice: SessionChoice, was?: string): Promise<boolean>
  /** Deletes archived epochs and ended turns that are older. Times in milliseconds since the epoch. */
  prune(archivedBefore: number, turnsBefore: number): Promise<void>
  /** Returns the active epochs without activity since `before`. */
  idleSince(before: number): Promise<readonly Session[]>
}
