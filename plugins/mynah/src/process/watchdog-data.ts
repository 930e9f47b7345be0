/** Data of the worker thread. */
export interface WatchdogData {
  readonly beats: SharedArrayBuffer
  readonly limit: number
  readonly beat: number
  readonly inspect: boolean
  readonly root: string
}

/** Message of the worker when the event loop runs again. */
export interface Blocked {
  readonly ms: number
  readonly frames: readonly {
    readonly url: string
    readonly line: number
    readonly column: number
    readonly name: string
  }[]
}
