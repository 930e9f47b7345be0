export interface Model {
  readonly id: string
  readonly score: number
  readonly contextWindow?: number
  readonly capabilities: {
    readonly vision?: boolean
    readonly streaming?: boolean
    readonly toolCalling?: boolean
    readonly thinking?: boolean
  }
  /** Fields that it refuses, and which requests to it leave out. */
  readonly omits?: readonly string[]
  readonly cooldownUntil?: number
  readonly cooldownReason?: string
}

export interface Provider {
  readonly alias: string
  readonly sdk: string
  readonly status: 'ready' | 'discovering' | 'failed'
  readonly error?: string
  /** Whether a plugin of the host serves it, because the configuration has none. */
  readonly inProcess?: boolean
  readonly models: readonly Model[]
}

/** `models:test`, as far as the page shows it. */
export interface Tried {
  readonly ok: boolean
  readonly message: string
  readonly model?: string
  readonly tokens?: { readonly input: number; readonly output: number; readonly cost?: number }
  readonly ms: number
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly held: boolean
  readonly accepted?: string
}

export interface Server {
  readonly name: string
  readonly transport: string
  readonly connected: boolean
  /** Switched off in the configuration. */
  readonly disabled?: boolean
  readonly since: number
  readonly toolCount: number
  readonly tools: readonly Tool[]
  /** Tools that it lists and that cannot be used. */
  readonly leftOut?: readonly { readonly name: string; readonly reason: string }[]
  readonly lastError?: string
  readonly nextTryAt?: number
}
