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
  readonly title?: string
  readonly adapter: string
  readonly endpointId: string
  readonly messages: number
  readonly lastActiveAt: number
  readonly usage: Usage
}

export interface Sessions {
  readonly sessions: readonly SessionRow[]
  readonly total: number
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
  readonly startedAt: number
  readonly endedAt?: number
  readonly waitingFor?: {
    readonly kind: string
    readonly id: string
    readonly text?: string
    readonly choices?: readonly string[]
    readonly expiresAt?: number
  }
  readonly error?: string
}
