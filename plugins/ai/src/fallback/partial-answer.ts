import { textOf, toolCallsOf, type AssistantMessage, type TextPart } from '../api/messages.js'
import type { Finish, ModelRequest, Usage } from '../api/models.js'
import { addUsage } from '../api/usage.js'

/** How often one answer goes on after the limit of a model's output. */
const MOST_LENGTHS = 3
/** How often one answer goes on after a break. */
const MOST_BREAKS = 4

/** The longest text that others go on with. */
const MOST_CHARS = 200_000

/**
 * An instruction in place of a prefix of the answer: few providers take such a prefix, and those that do refuse it for
 * some of their models.
 */
const GO_ON =
  'Your answer was cut off after its last word above. Go on from exactly there, in the same language and form. ' +
  'Do not repeat anything of it, and say nothing about the interruption.'

type Content = Exclude<AssistantMessage['content'], string>

/** The beginning of an answer that broke, or that reached a limit, and which models go on with. */
export class PartialAnswer {
  readonly #request: ModelRequest
  #content: Content = []
  #usage: Usage | undefined
  #lengths = 0
  #breaks = 0

  constructor(request: ModelRequest) {
    this.#request = request
  }

  get isEmpty(): boolean {
    return this.#content.length === 0
  }

  get #chars(): number {
    return this.#content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  }

  /** The request for the rest of the answer. */
  get request(): ModelRequest {
    if (this.isEmpty) return this.#request
    const messages = [
      ...this.#request.messages,
      { role: 'assistant' as const, content: this.#content },
      { role: 'user' as const, content: GO_ON },
    ]
    return { ...this.#request, messages }
  }

  /** Returns whether an answer that has ended can be gone on with. A limit that the caller has set is an end. */
  canContinue({ reason, message }: Finish): boolean {
    if (textOf(message).length + this.#chars > MOST_CHARS) return false
    if (reason === 'interrupted') return this.#breaks < MOST_BREAKS
    return (
      reason === 'length' &&
      this.#request.maxOutputTokens === undefined &&
      this.#lengths < MOST_LENGTHS &&
      textOf(message).trim() !== '' &&
      toolCallsOf(message).length === 0
    )
  }

  /** Takes what an answer has. */
  add({ reason, message, usage }: Finish): void {
    if (reason === 'length') this.#lengths++
    else this.#breaks++
    // The reasoning of a model is of no use to another.
    const content = contentOf(message).filter(({ type }) => type === 'text' || type === 'file')
    this.#content = joined(this.#content, content)
    this.#usage = this.#usage ? addUsage(this.#usage, usage) : usage
  }

  /** Returns the end of the whole answer for the end of its last piece. */
  end(last: Finish): Finish {
    if (this.isEmpty) return last
    const content = joined(this.#content, contentOf(last.message))
    return {
      ...last,
      message: { ...last.message, content },
      usage: this.#usage ? addUsage(this.#usage, last.usage) : last.usage,
    }
  }
}

const contentOf = ({ content }: AssistantMessage): Content =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Joins the text at the end of the first content with that at the beginning of the second. */
function joined(first: Content, second: Content): Content {
  const last = first.at(-1)
  const index = second.findIndex(({ type }) => type !== 'reasoning')
  const next = second[index]
  if (last?.type !== 'text' || next?.type !== 'text') return [...first, ...second]
  const text: TextPart = { type: 'text', text: last.text + next.text }
  return [...first.slice(0, -1), ...second.slice(0, index), text, ...second.slice(index + 1)]
}
