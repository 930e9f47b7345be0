import { xml, type Element } from '@xmpp/client'

const SM = 'urn:xmpp:sm:3'
const isStanza = ({ name }: Element): boolean => name === 'message' || name === 'presence' || name === 'iq'

export interface AcknowledgementOptions {
  readonly send: (element: Element) => void
  /** Called with the id of a message that the server has taken. */
  readonly taken: (id: string) => void
}

/** Counts stanzas as XEP-0198 does, without resuming sessions: what was missed comes from the archive. */
export class Acknowledgements {
  readonly #options: AcknowledgementOptions
  #enabled: (() => void) | undefined
  #isCountingSent = false
  #isCountingReceived = false
  #sent = 0
  #received = 0
  /** Messages that are not acknowledged, with their numbers. */
  readonly #waiting: { readonly number: number; readonly id: string }[] = []

  constructor(options: AcknowledgementOptions) {
    this.#options = options
  }

  get isEnabled(): boolean {
    return this.#isCountingReceived
  }

  /** Resolves when the server counts, or refuses to. */
  enable(): Promise<void> {
    return new Promise((resolve) => {
      this.#enabled = resolve
      this.#options.send(xml('enable', { xmlns: SM }))
    })
  }

  /** Asks how many stanzas the server has taken. */
  request(): void {
    this.#options.send(xml('r', { xmlns: SM }))
  }

  sent(element: Element): void {
    if (element.is('enable', SM)) this.#isCountingSent = true
    if (!this.#isCountingSent || !isStanza(element)) return
    this.#sent++
    const { id } = element.attrs
    if (element.name === 'message' && id !== undefined) this.#waiting.push({ number: this.#sent, id })
  }

  /** Counts what the server sends. Returns whether it is of this protocol. */
  takes(element: Element): boolean {
    if (isStanza(element) && this.#isCountingReceived) this.#received++
    if (element.getNS() !== SM) return false
    this.#answer(element)
    return true
  }

  #answer(element: Element): void {
    if (element.is('enabled', SM) || element.is('failed', SM)) {
      this.#isCountingReceived = element.is('enabled', SM)
      this.#enabled?.()
    } else if (element.is('r', SM)) this.#options.send(xml('a', { xmlns: SM, h: String(this.#received) }))
    else if (element.is('a', SM)) this.#acknowledged(Number(element.attrs.h))
  }

  #acknowledged(count: number): void {
    for (let first = this.#waiting[0]; first && first.number <= count; first = this.#waiting[0]) {
      this.#waiting.shift()
      this.#options.taken(first.id)
    }
  }
}
