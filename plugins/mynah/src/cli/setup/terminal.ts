// Questions and progress in a terminal.
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import { visibleLines } from '../visible.js'

const hasColour = (): boolean => process.stdout.isTTY === true && !process.env['NO_COLOR']
const paint = (code: number, text: string): string => (hasColour() ? `\u001b[${code}m${text}\u001b[0m` : text)
export const good = (text: string): string => paint(32, text)
export const bad = (text: string): string => paint(31, text)

/** Prints a line whose parts may come from a platform or a provider. */
export const say = (text: string): void => void process.stdout.write(`${visibleLines(text)}\n`)
/** Prints a line that is made here, with its colours. */
export const show = (text: string): void => void process.stdout.write(`${text}\n`)
/** Says what is done now, for work of more than a second. */
export const progress = (text: string): void => void process.stderr.write(`  ${visibleLines(text)} …\n`)

/** Asks a person. */
export class Prompt {
  readonly #lines: Interface
  /** Whether typed text is hidden now. */
  #hidden = false

  private constructor() {
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.#hidden) process.stdout.write(chunk)
        done()
      },
    })
    this.#lines = createInterface({ input: process.stdin, output, terminal: true })
  }

  /** Returns a prompt, or undefined where nobody can answer. */
  static open(): Prompt | undefined {
    return process.stdin.isTTY === true && process.stdout.isTTY === true ? new Prompt() : undefined
  }

  close(): void {
    this.#lines.close()
  }

  /** Asks a question. Returns the fallback for an empty answer. A secret is not shown while it is typed. */
  async ask(question: string, fallback = '', secret = false): Promise<string> {
    const shown = visibleLines(`${question}${fallback && !secret ? ` (${fallback})` : ''} `)
    try {
      const answering = this.#lines.question(secret ? '' : shown)
      if (secret) {
        process.stdout.write(shown)
        this.#hidden = true
      }
      const answer = (await answering).trim()
      return answer || fallback
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError')
        throw new UserError('stopped; what was saved before stays', { exitCode: EXIT.interrupted })
      throw error
    } finally {
      if (this.#hidden) process.stdout.write('\n')
      this.#hidden = false
    }
  }

  /** Asks until one of the choices is given, by its beginning. The first is the default. */
  async choose<T extends string>(question: string, choices: readonly T[]): Promise<T> {
    let why = ''
    for (;;) {
      const answer = await this.ask(`${why}${question} ${choices.join(', ')}`, choices[0] as string)
      const found = choices.find((choice) => choice === answer) ?? choices.find((choice) => choice.startsWith(answer))
      if (found !== undefined) return found
      why = `"${answer}" is none of them. `
    }
  }
}
