// Estimates the time that a person needs at a page: keys, clicks and reading, without the waits for the machine.
import type { Locator, Page } from 'playwright-core'

/** One key of an average typist, s. */
const KEY_S = 0.28
/** Pointing at something and pressing, s. */
const CLICK_S = 1.3
/** Deciding what to do next, s. */
const THINK_S = 1.35
const WORDS_PER_SECOND = 200 / 60

/**
 * Acts on a page and adds up what a person would need. The constants are those of the keystroke-level model of Card,
 * Moran and Newell (1980), and 200 words a minute.
 */
export class Effort {
  readonly #page: Page
  readonly #began = performance.now()
  #keys = 0
  #clicks = 0
  #thoughts = 0
  #words = 0
  readonly #read = new Set<string>()

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    await target.waitFor()
    this.#thoughts++
    this.#clicks++
    await target.click()
  }

  async choose(target: Locator, label: string): Promise<void> {
    this.#thoughts++
    this.#clicks += 2
    await target.selectOption({ label })
  }

  /** Goes to a field and replaces its text. */
  async type(target: Locator, text: string): Promise<void> {
    this.#thoughts++
    this.#keys += text.length + 1
    await target.fill(text)
  }

  async press(key: string): Promise<void> {
    this.#keys++
    await this.#page.keyboard.press(key)
  }

  /** Reads the lines of a part of the page that were not read before. */
  async read(part: Locator): Promise<void> {
    const lines = (await part.innerText()).split('\n').filter((line) => !this.#read.has(line))
    for (const line of lines) this.#read.add(line)
    this.#words += lines
      .join(' ')
      .split(/\s+/)
      .filter((word) => /\p{L}/u.test(word)).length
  }

  get seconds(): number {
    return this.#keys * KEY_S + this.#clicks * CLICK_S + this.#thoughts * THINK_S + this.#words / WORDS_PER_SECOND
  }

  summary(): string {
    const waited = ((performance.now() - this.#began) / 1000).toFixed(0)
    return (
      `${(this.seconds / 60).toFixed(1)} min of keys and reading: ${this.#keys} keys, ${this.#clicks} clicks, ` +
      `${this.#thoughts} decisions, ${this.#words} words; the machine took ${waited} s`
    )
  }
}
