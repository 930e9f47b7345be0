/** `agent:usage`. */
export interface Usage {
  readonly days: readonly {
    readonly calls: number
    readonly input: number
    readonly cachedInput: number
    readonly output: number
    readonly cost?: number
  }[]
}

/** `cron:list`, as far as the dashboard shows it. */
export interface CronList {
  readonly memory: readonly { readonly id: string; readonly plugin: string; readonly nextRun: number | null }[]
  readonly persistent: readonly {
    readonly id: string
    readonly label?: string
    readonly prompt: string
    readonly enabled: boolean
    readonly nextRun?: number
    readonly lastRun?: number
    readonly lastStatus?: string
    readonly lastError?: string
  }[]
}

/** A turn of `agent:turns`, as far as the dashboard shows it. */
export interface OpenTurn {
  readonly id: string
  readonly sessionKey: string
  readonly startedAt: number
  readonly waitingFor?: { readonly kind: string; readonly text?: string; readonly expiresAt?: number }
}

/** `models:list`, as far as the dashboard shows it. */
export interface Models {
  readonly providers: readonly {
    readonly status: string
    readonly models: readonly unknown[]
    readonly inProcess?: boolean
  }[]
}
