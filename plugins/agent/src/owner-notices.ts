// What the owner should know without having asked: a provider that only the owner can mend, and a budget that is used up. Told once, in private.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import type { BudgetExceeded, ModelStateChange } from '@mynah/plugin-ai/api'
import type { Chat } from '@mynah/plugin-chat/api'
import { textsFor } from './texts.js'

/** After the answer of the turn that noticed it, and only if it still holds, ms. */
const DELAY_MS = 10_000

type Texts = ReturnType<typeof textsFor>
/** Failures that pass by themselves are in the log. */
const isLasting = (reason: string, { provider }: Texts): reason is keyof Texts['provider'] =>
  Object.hasOwn(provider, reason)

interface Deps {
  readonly chat: () => Chat | undefined
  readonly clock: Clock
  readonly log: Logger
}

export class OwnerNotices {
  readonly #deps: Deps
  /** Of models that cool, by name: how not to tell. */
  readonly #coming = new Map<string, () => void>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  model({ provider, model, state, until, reason = '' }: ModelStateChange): void {
    const name = model === undefined ? provider : `${provider}:${model}`
    this.#coming.get(name)?.()
    this.#coming.delete(name)
    if (state !== 'cooling' || !isLasting(reason, textsFor('en'))) return
    this.#coming.set(
      name,
      this.#later(
        ({ others, provider: why }) => others(name, why[reason]),
        `notice/model/${name}/${until ?? 0}`,
        () => this.#coming.delete(name),
      ),
    )
  }

  budget({ limit, used, allowed, until }: BudgetExceeded): void {
    this.#later(
      ({ budgetUsed }) =>
        budgetUsed(Math.round(used * 100) / 100, allowed, limit, `${new Date(until).toISOString().slice(11, 16)}Z`),
      `notice/budget/${until}`,
    )
  }

  #later(text: (texts: Texts) => string, key: string, told = (): void => {}): () => void {
    return this.#deps.clock.setTimeout(() => {
      told()
      this.#tell(text, key).catch((error: unknown) =>
        this.#deps.log.warn(`the owner could not be told: ${messageOf(error)}`),
      )
    }, DELAY_MS)
  }

  /** The private chat of the first master of the first endpoint that has one. */
  async #tell(text: (texts: Texts) => string, key: string): Promise<void> {
    const chat = this.#deps.chat()
    for (const { adapter, name } of chat?.endpoints() ?? []) {
      const [id] = chat?.mastersOf(adapter, name) ?? []
      if (id !== undefined)
        return void (await chat?.send(adapter, name, { type: 'private', id }, text(textsFor(chat?.locale)), { key }))
    }
  }
}
