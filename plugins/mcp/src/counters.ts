export type CallOutcome = 'ok' | 'error' | 'failed' | 'aborted'

export class Counters {
  readonly calls = new Map<string, Map<CallOutcome, number>>()
  readonly connections = new Map<string, number>()

  count(server: string, outcome: CallOutcome): void {
    const known = this.calls.get(server) ?? new Map<CallOutcome, number>()
    this.calls.set(server, known.set(outcome, (known.get(outcome) ?? 0) + 1))
  }

  connected(server: string): void {
    this.connections.set(server, (this.connections.get(server) ?? 0) + 1)
  }

  /** Drops the counters of a removed server. */
  forget(server: string): void {
    this.calls.delete(server)
    this.connections.delete(server)
  }
}
