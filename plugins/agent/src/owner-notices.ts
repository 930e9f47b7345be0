import { messageOf } from '@mynah/kernel'
import { SECOND_MS } from '@mynah/kernel/util'
import type { BudgetExceeded, ModelStateChange } from '@mynah/plugin-ai/api'
import type { AgentRuntime } from './runtime.js'
import { textsFor } from './texts.js'

/** The notice follows the answer of the turn that met the problem, and is sent only if the problem lasts. */
const DELAY_MS = 10 * SECOND_MS

type Texts = ReturnType<typeof textsFor>

/** Returns whether a person has to fix a failure. Others pass by themselves and are in the log. */
const needsOwner = (reason: string, { provider }: Texts): reason is keyof Texts['provider'] =>
  Object.hasOwn(provider, reason)

/** Notifies the owner, once and in private, of problems of models that only the owner can fix. */
export class OwnerNotices {
  readonly #runtime: Pick<AgentRuntime, 'chat' | 'clock' | 'log'>
  /** Cancels the scheduled notice about a model, by its name. */
  readonly #scheduled = new Map<string, () => void>()
  /** The reason of the last notice about a model that has not answered since, by its name. */
  readonly #sent = new Map<string, string>()

  constructor(runtime: Pick<AgentRuntime, 'chat' | 'clock' | 'log'>) {
    this.#runtime = runtime
  }

  model({ provider, model, state, until, reason = '' }: ModelStateChange): void {
    const name = model === undefined ? provider : `${provider}:${model}`
    this.#scheduled.get(name)?.()
    this.#scheduled.delete(name)
    if (state !== 'cooling') return void this.#sent.delete(name)
    if (!needsOwner(reason, textsFor('en')) || this.#sent.get(name) === reason) return
    const cancel = this.#schedule(`notice/model/${name}/${until ?? 0}`, (texts) => {
      this.#scheduled.delete(name)
      this.#sent.set(name, reason)
      return texts.others(name, texts.provider[reason])
    })
    this.#scheduled.set(name, cancel)
  }

  budget({ limit, used, allowed, until }: BudgetExceeded): void {
    const usedRounded = Math.round(used * 100) / 100
    const time = `${new Date(until).toISOString().slice(11, 16)}Z`
    this.#schedule(`notice/budget/${until}`, ({ budgetUsed }) => budgetUsed(usedRounded, allowed, limit, time))
  }

  /** Sends a notice after the delay. Returns a function that cancels it. */
  #schedule(key: string, textOf: (texts: Texts) => string): () => void {
    return this.#runtime.clock.setTimeout(() => {
      this.#send(key, textOf).catch((error: unknown) =>
        this.#runtime.log.warn(`failed to notify the owner: ${messageOf(error)}`),
      )
    }, DELAY_MS)
  }

  async #send(key: string, textOf: (texts: Texts) => string): Promise<void> {
    const { chat } = this.#runtime
    const owner = chat?.ownerChannel()
    if (owner) await chat?.send(owner.adapter, owner.endpoint, owner.channel, textOf(textsFor(chat.locale)), { key })
  }
}
