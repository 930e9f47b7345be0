import { closestMatch, type Clock, type Logger, type Reader } from '@mynah/kernel'
import { MINUTE_MS } from '@mynah/kernel/util'
import type { Tool } from '@mynah/plugin-ai/api'

/** Names in the configuration that no tool has after this time are reported: MCP servers take a while to connect. */
const SETTLED_MS = MINUTE_MS

/** The parts of the host that the check works with. */
interface CheckParts {
  readonly tools: Reader<Tool>
  readonly clock: Clock
  readonly log: Logger
}

/** Warns of names in `ai.toolbox.roles` that no tool has. */
export class UnknownToolCheck {
  readonly #parts: CheckParts
  #cancel: () => void = () => {}

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  /** Checks these names when all tools should be there. Replaces an earlier check. */
  start(names: readonly string[]): void {
    this.#cancel()
    if (this.#unknown(names).length === 0) return
    this.#cancel = this.#parts.clock.setTimeout(() => this.#warn(this.#unknown(names)), SETTLED_MS)
  }

  stop(): void {
    this.#cancel()
  }

  #unknown(names: readonly string[]): string[] {
    return names.filter((name) => !this.#parts.tools.get(name))
  }

  #warn(names: readonly string[]): void {
    const known = this.#parts.tools.all().map(({ key }) => key)
    for (const name of names) {
      const meant = closestMatch(name, known)
      this.#parts.log.warn(
        `ai.toolbox.roles.${name} has no effect: there is no such tool${meant ? `; did you mean ${meant}?` : ''}`,
      )
    }
  }
}
