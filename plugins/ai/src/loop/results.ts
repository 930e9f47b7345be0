import type { FilePart, ImagePart, TextPart, ToolCallPart, ToolResultPart } from '../api/messages.js'
import type { ToolResult } from '../api/tools.js'
import { clean, cutMiddle } from '../text.js'

type ResultContent = TextPart | ImagePart | FilePart

/** Returns the result of a call, with at most `max` characters of text. */
export function resultOf(call: ToolCallPart, output: unknown, max: number): ToolResultPart {
  if (isToolResult(output)) {
    const content = withinLimit(output.content, max)
    const only = content[0]
    return {
      type: 'tool-result',
      id: call.id,
      name: call.name,
      output: content.length === 1 && only?.type === 'text' ? only.text : content,
      ...(output.isError ? { isError: true } : {}),
    }
  }
  return { type: 'tool-result', id: call.id, name: call.name, output: cutMiddle(clean(textual(output)), max) }
}

/** Returns a result that reports a failure to the model. */
export function errorResult(call: ToolCallPart, text: string, max = 10_000): ToolResultPart {
  return { type: 'tool-result', id: call.id, name: call.name, output: cutMiddle(clean(text), max), isError: true }
}

/** Returns a result with a note for the model below it. */
export function withNote(result: ToolResultPart, note: string): ToolResultPart {
  return {
    ...result,
    output:
      typeof result.output === 'string'
        ? `${result.output}\n\n${note}`
        : [...result.output, { type: 'text', text: note }],
  }
}

function isToolResult(value: unknown): value is ToolResult {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { kind?: unknown }).kind === 'tool-result' &&
    Array.isArray((value as ToolResult).content)
  )
}

function textual(output: unknown): string {
  if (typeof output === 'string') return output
  if (output === undefined || output === null) return 'Done.'
  return JSON.stringify(output) ?? 'Done.'
}

function withinLimit(content: readonly ResultContent[], max: number): readonly ResultContent[] {
  let left = max
  return content.map((part) => {
    if (part.type !== 'text') return part
    const text = cutMiddle(clean(part.text), Math.max(left, 0))
    left -= text.length
    return text === part.text ? part : { ...part, text }
  })
}
