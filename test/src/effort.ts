// Estimates the time that a person needs: keys, clicks and reading, without the waits for the machine.
import type { Locator, Page } from 'playwright-core'

/** One key of an average typist, s. */
const KEY_S = 0.28
/** Pointing at something and pressing, s. */
const CLICK_S = 1.3
/** Deciding what to do next, s. */
const THINK_S = 1.35
const WORDS_PER_SECOND = 200 / 60

/**
 * Adds up what a person does. The constants are those of the keystroke-level model of Card, Moran and Newell (1980),
 * and 200 words a minute.
 */
export class Effort {
  readonly #began = performance.now()
  #keys = 0
  #clicks = 0
  #thoughts = 0
  #words = 0
  readonly #read = new Set<string>()
  #section: string | undefined
  readonly #sections = new Map<string, number>()

  /** Begins a part of the way, which the summary names with its own minutes. */
  section(name: string): void {
    this.#closeSection()
    this.#section = name
  }

  #closeSection(): void {
    if (this.#section === undefined) return
    const before = Array.from(this.#sections.values()).reduce((sum, each) => sum + each, 0)
    this.#sections.set(this.#section, this.seconds - before)
  }

  /** Counts keys that are pressed. */
  keys(count: number): void {
    this.#keys += count
  }

  /** Counts a decision and the clicks that follow from it. */
  decide(clicks: number): void {
    this.#thoughts++
    this.#clicks += clicks
  }

  /** Counts the words of the lines that were not read before. */
  readText(text: string): void {
    const lines = text.split(/[\r\n]+/).filter((line) => !this.#read.has(line))
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
    this.#closeSection()
    const waited = ((performance.now() - this.#began) / 1000).toFixed(0)
    const parts = Array.from(this.#sections, ([name, seconds]) => `${name} ${(seconds / 60).toFixed(2)}`)
    return (
      `${(this.seconds / 60).toFixed(2)} min of keys and reading: ${this.#keys} keys, ${this.#clicks} clicks, ` +
      `${this.#thoughts} decisions, ${this.#words} words; the machine took ${waited} s` +
      (parts.length > 0 ? `; ${parts.join(', ')}` : '')
    )
  }
}

/** Acts on a page and adds up what a person would need. */
export class PageEffort extends Effort {
  readonly #page: Page

  constructor(page: Page) {
    super()
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    await target.waitFor()
    this.decide(1)
    await target.click()
  }

  async choose(target: Locator, label: string): Promise<void> {
    this.decide(2)
    await target.selectOption({ label })
  }

  /** Goes to a field and replaces its text. */
  async type(target: Locator, text: string): Promise<void> {
    this.decide(0)
    this.keys(text.length + 1)
    await target.fill(text)
  }

  async press(key: string): Promise<void> {
    this.keys(1)
    await this.#page.keyboard.press(key)
  }

  /** Reads a part of the page. */
  async read(part: Locator): Promise<void> {
    this.readText(await part.innerText())
  }
}
