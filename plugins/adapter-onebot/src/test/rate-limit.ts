/** A limit of the rate over HTTP, which refuses an action and all others of its kind for a time after it. */
export class RateLimit {
  /** Requests that came before the time that the first refusal has named. */
  early = 0
  #rule: { readonly ms: number; readonly now: () => number; readonly actions: string; end?: number } | undefined

  /** Begins with the next action whose name begins so. */
  start(ms: number, now: () => number, actions = 'send_'): void {
    this.#rule = { ms, now, actions }
  }

  /** Returns the milliseconds for which an action is still refused. */
  wait(action: string): number {
    const rule = this.#rule
    if (!rule || !action.startsWith(rule.actions)) return 0
    if (rule.end === undefined) rule.end = rule.now() + rule.ms
    else if (rule.now() < rule.end) this.early++
    return Math.max(0, rule.end - rule.now())
  }
}
