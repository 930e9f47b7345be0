/** Tokens; `cost` is in the currency of the prices that were configured. */
export interface Usage {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  readonly cost?: number
}

export interface SessionRow {
  readonly sessionKey: string
  readonly sessionId: string
  readonly state: 'active' | 'archived'
  /** Name of the channel, the person or the job. */
  readonly title?: string
  /** Its subject: the name of its job, or the first words of a person in it. */
  readonly subject?: string
  readonly adapter: string
  readonly endpointId: string
  readonly messages: number
  readonly lastActiveAt: number
  readonly usage: Usage
  /** The model that was chosen for it. */
  readonly model?: string
  /** How much the model thinks, where that was chosen. */
  readonly thinking?: 'off' | 'low' | 'high'
  /** Name of the host that runs its turns, where several share a database. */
  readonly host?: string
}

export interface Sessions {
  readonly sessions: readonly SessionRow[]
  readonly total: number
  readonly nextBefore?: string
}

/** A message that contains the words of a search. */
export interface FoundRow extends Pick<SessionRow, 'sessionKey' | 'sessionId' | 'state' | 'title' | 'subject'> {
  readonly entryId: number
  readonly role: 'user' | 'assistant'
  readonly sender?: { readonly id: string; readonly name: string }
  readonly timestamp: number
  readonly before: string
  readonly match: string
  readonly after: string
}

export interface FoundPage {
  readonly found: readonly FoundRow[]
  /** There are matches or sessions that were not searched yet. */
  readonly nextBefore?: string
}

export interface ContentPart {
  readonly type: 'text' | 'image' | 'tool-call' | 'tool-result' | 'file'
  readonly text?: string
  /** Id of the call, also on its result. */
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly output?: string
  readonly isError?: boolean
  readonly mediaType?: string
}

export interface Entry {
  readonly id: number
  readonly parentId: number | null
  readonly kind: string
  /** Absent without a speaker, as for a model change. */
  readonly role?: string
  readonly sender?: { readonly id: string; readonly name: string }
  readonly content: string | readonly ContentPart[]
  readonly turnId?: string
  readonly model?: string
  readonly usage?: Usage
  readonly timestamp: number
}

export interface SessionPage {
  readonly sessionKey: string
  readonly sessionId: string
  readonly activeLeafMessageId: number | null
  readonly entries: readonly Entry[]
  readonly nextBefore?: number
}

export interface Turn {
  readonly id: string
  readonly sessionKey: string
  readonly state: 'queued' | 'running' | 'waiting' | 'delivering' | 'done' | 'failed' | 'interrupted' | 'stopped'
  readonly stage: string
  readonly step: number
  readonly model?: string
  /** The words that it answers. Absent on older hosts. */
  readonly text?: string
  /** Its newest entry, the leaf of its path. */
  readonly entryId?: number
  readonly startedAt: number
  readonly endedAt?: number
  readonly waitingFor?: {
    readonly kind: string
    readonly id: string
    /** Id of the tool call that waits. */
    readonly call?: string
    readonly text?: string
    readonly choices?: readonly string[]
    readonly expiresAt?: number
  }
  readonly error?: string
}
