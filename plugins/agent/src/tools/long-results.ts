import { messageOf } from '@mynah/kernel'
import {
  toolResult,
  type KeptResults,
  type Tool,
  type ToolCall,
  type ToolOutput,
  type ToolResult,
} from '@mynah/plugin-ai/api'
import { headAndTail, MAX_BYTES, MAX_LINES } from '../view/head-and-tail.js'

/** Tools that cut their results to the same bounds add a note to them. */
const SLACK_BYTES = 2 * 1024
const SLACK_LINES = 20
/** UTF-8 has at most three bytes for each UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

const isResult = (output: unknown): output is ToolResult =>
  typeof output === 'object' && output !== null && (output as { kind?: unknown }).kind === 'tool-result'

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | undefined)?.then === 'function'

/** Shows the beginning and the end of long results of any tool, and stores the whole text for `read_file`. */
export class LongResults {
  readonly #kept: () => KeptResults | undefined
  readonly #fitting = new WeakMap<Tool, Tool>()

  constructor(kept: () => KeptResults | undefined) {
    this.#kept = kept
  }

  /** Returns the tool with results that fit. */
  of(tool: Tool): Tool {
    let fitting = this.#fitting.get(tool)
    if (!fitting) {
      const run = (input: never, call: ToolCall): ToolOutput | Promise<ToolOutput> => {
        const output = tool.run(input, call)
        return isThenable(output) ? output.then((value) => this.#fit(value, call)) : this.#fit(output, call)
      }
      fitting = Object.create(tool, { run: { value: run, enumerable: true } }) as Tool
      this.#fitting.set(tool, fitting)
    }
    return fitting
  }

  #fit(output: ToolOutput, call: ToolCall): ToolOutput | Promise<ToolOutput> {
    if (!isResult(output)) {
      const text = typeof output === 'string' ? output : JSON.stringify(output)
      return text === undefined || fits(text) ? output : this.#shorten(text, call)
    }
    const texts = output.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    const text = texts.join('\n')
    if (fits(text)) return output
    const others = output.content.filter(({ type }) => type !== 'text')
    return this.#shorten(text, call).then((short) =>
      toolResult([{ type: 'text', text: short }, ...others], { isError: output.isError }),
    )
  }

  async #shorten(text: string, call: ToolCall): Promise<string> {
    let path: string | undefined
    try {
      path = await this.#kept()?.keep(text, call)
    } catch (error) {
      // A part of the result is still useful.
      call.log.warn(`failed to store a long result: ${messageOf(error)}`)
    }
    return headAndTail(text, path === undefined ? '' : `; all of it: read_file ${path}`)
  }
}

function fits(text: string): boolean {
  if (text.length * MAX_BYTES_PER_UNIT > MAX_BYTES && Buffer.byteLength(text) > MAX_BYTES + SLACK_BYTES) return false
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if (++lines > MAX_LINES + SLACK_LINES) return false
  return true
}
