// What the watchdog and its thread tell each other.

/** What the worker is given. */
export interface WatchdogData {
  readonly beats: SharedArrayBuffer
  readonly limit: number
  readonly beat: number
  readonly inspect: boolean
  readonly root: string
}

/** What the worker tells once the loop runs again. */
export interface Blocked {
  readonly ms: number
  readonly frames: readonly {
    readonly url: string
    readonly line: number
    readonly column: number
    readonly name: string
  }[]
}
