// How many tokens a request will have, estimated: one for each CJK character, a quarter for any other, something for
// each message, picture and tool. Counted once for each message object.
import type { FilePart, ImagePart, ModelMessage, TextPart, ToolCallPart } from '../api/messages.js'
import type { ModelRequest, ToolDefinition } from '../api/models.js'

const PER_MESSAGE = 4
const PER_IMAGE = 1_500
const PER_AUDIO = 800
const PER_FILE = 2_000

const messages = new WeakMap<ModelMessage, number>()
const definitions = new WeakMap<ToolDefinition, number>()

/** Estimates the tokens of a text. */
export function tokensOf(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (
      code >= 0x2e80 &&
      (code <= 0x9fff ||
        (code >= 0xac00 && code <= 0xd7af) ||
        (code >= 0xf900 && code <= 0xfaff) ||
        (code >= 0xff00 && code <= 0xffef))
    )
      wide++
  }
  return wide + Math.ceil((text.length - wide) / 4)
}

/** Estimates the tokens of a request, before any correction. */
export function estimate(request: Pick<ModelRequest, 'messages' | 'tools'>): number {
  let sum = 0
  for (const message of request.messages) sum += ofMessage(message)
  for (const tool of request.tools ?? []) sum += ofTool(tool)
  return sum
}

function ofMessage(message: ModelMessage): number {
  let known = messages.get(message)
  if (known === undefined)
    messages.set(
      message,
      (known =
        PER_MESSAGE + (typeof message.content === 'string' ? tokensOf(message.content) : ofParts(message.content))),
    )
  return known
}

type Part = Exclude<ModelMessage['content'], string>[number]

function ofParts(parts: readonly Part[]): number {
  let sum = 0
  for (const part of parts) {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        sum += tokensOf(part.text)
        break
      case 'tool-call':
        sum += ofCall(part)
        break
      case 'tool-result':
        sum +=
          PER_MESSAGE +
          (typeof part.output === 'string'
            ? tokensOf(part.output)
            : ofParts(part.output as readonly (TextPart | ImagePart | FilePart)[]))
        break
      case 'image':
        sum += PER_IMAGE
        break
      case 'file':
        sum += ofFile(part)
        break
    }
  }
  return sum
}

function ofFile({ mediaType, text }: FilePart): number {
  if (text !== undefined) return PER_FILE + tokensOf(text)
  if (mediaType.startsWith('image/')) return PER_IMAGE
  return mediaType.startsWith('audio/') ? PER_AUDIO : PER_FILE
}

const ofCall = (call: ToolCallPart): number =>
  PER_MESSAGE + tokensOf(call.name) + tokensOf(JSON.stringify(call.input) ?? '')

function ofTool(tool: ToolDefinition): number {
  let known = definitions.get(tool)
  if (known === undefined)
    definitions.set(
      tool,
      (known =
        PER_MESSAGE + tokensOf(tool.name) + tokensOf(tool.description) + tokensOf(JSON.stringify(tool.parameters))),
    )
  return known
}
