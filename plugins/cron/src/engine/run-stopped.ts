/** The reason for which a run is ended before its time: a pause, a removal, or a stop of the plugin of its action. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped'
  /** Whether people are notified. A person who stops a run needs no message. */
  readonly isTold: boolean

  constructor(message: string, isTold: boolean) {
    super(message)
    this.isTold = isTold
  }
}

/** Thrown when the host stops during a run. The stored run tells the next start how to continue. */
export class RunSuspended extends Error {
  override readonly name = 'RunSuspended'
}
