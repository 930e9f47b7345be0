import { isRecord } from '@mynah/contract'
import {
  toolResult,
  wrapped,
  type FilePart,
  type ImagePart,
  type TextPart,
  type ToolResult,
} from '@mynah/plugin-ai/api'
import type { McpResult } from './api.js'
import { cut, withoutControls } from './text.js'

type Part = TextPart | ImagePart | FilePart

const MAX_PARTS = 64
const MAX_MEDIA = 8
const MAX_MEDIA_CHARS = 7 * 1024 * 1024
const MEDIA_TYPE = /^[a-z0-9]{1,32}\/[a-z0-9.+-]{1,96}$/i

/** Reads the result of a call. */
export function readResult(raw: unknown): McpResult {
  const result = isRecord(raw) ? raw : {}
  const listed = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const content: Part[] = []
  let media = 0
  for (const each of listed.slice(0, MAX_PARTS)) {
    const part = partOf(each)
    if (part === undefined) continue
    if (part.type !== 'text' && ++media > MAX_MEDIA) continue
    content.push(part)
  }
  if (media > MAX_MEDIA) content.push(text(`[${media - MAX_MEDIA} more media left out]`))
  if (listed.length > MAX_PARTS) content.push(text(`[${listed.length - MAX_PARTS} more parts left out]`))
  const structured = result['structuredContent'] ?? result['toolResult']
  if (content.length === 0 && structured !== undefined) content.push(text(JSON.stringify(structured)))
  return {
    content,
    text: textsOf(content),
    ...(structured === undefined ? {} : { structured }),
    isError: result['isError'] === true,
  }
}

/** Converts a result for a model. Its text is marked as foreign; the agent shortens it. */
export function forModel(result: McpResult, source: string): ToolResult {
  const content: Part[] = []
  let block: string[] = []
  const close = (): void => {
    if (block.length) content.push(text(wrapped(block.join('\n'), source)))
    block = []
  }
  for (const part of result.content) {
    if (part.type === 'text') block.push(part.text)
    else {
      close()
      content.push(part)
    }
  }
  close()
  const { isError } = result
  if (content.length) return toolResult(content, { isError })
  return toolResult(isError ? 'It failed without a reason.' : 'Done.', { isError })
}

const text = (said: string): TextPart => ({ type: 'text', text: said })
const textsOf = (content: readonly Part[]): string =>
  content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n')
const stringIn = (value: Readonly<Record<string, unknown>>, key: string): string | undefined =>
  typeof value[key] === 'string' ? value[key] : undefined

function partOf(value: unknown): Part | undefined {
  if (!isRecord(value)) return undefined
  switch (value['type']) {
    case 'text':
      return text(stringIn(value, 'text') ?? '')
    case 'image':
    case 'audio':
      return mediaOf(stringIn(value, 'data'), stringIn(value, 'mimeType'), undefined)
    case 'resource': {
      const resource = isRecord(value['resource']) ? value['resource'] : {}
      const said = stringIn(resource, 'text')
      return said === undefined
        ? mediaOf(stringIn(resource, 'blob'), stringIn(resource, 'mimeType'), stringIn(resource, 'uri'))
        : text(said)
    }
    case 'resource_link':
      return text(`[resource ${cut(stringIn(value, 'name') ?? '', 200)} ${cut(stringIn(value, 'uri') ?? '', 2_000)}]`)
    default:
      return text('[a part of an unknown kind]')
  }
}

function mediaOf(data: string | undefined, declared: string | undefined, uri: string | undefined): Part {
  const mediaType =
    declared !== undefined && MEDIA_TYPE.test(declared) ? declared.toLowerCase() : 'application/octet-stream'
  if (data === undefined || data.length === 0) return text(`[an empty medium, ${mediaType}]`)
  if (data.length > MAX_MEDIA_CHARS) return text(`[a medium of ${data.length} characters left out, ${mediaType}]`)
  if (!isBase64(data)) return text(`[a medium that is not base64, ${mediaType}]`)
  if (mediaType.startsWith('image/')) return { type: 'image', data, mediaType }
  const filename = uri && cut(withoutControls(uri.slice(uri.lastIndexOf('/') + 1)), 200)
  return { type: 'file', data, mediaType, ...(filename ? { filename } : {}) }
}

/** Checks each character, because a regular expression over megabytes is slow. */
function isBase64(data: string): boolean {
  // At most two padding characters, and not without data.
  const padding = data.endsWith('==') ? 2 : Number(data.endsWith('='))
  const end = data.length - padding
  for (let index = 0; index < end; index++) {
    const code = data.charCodeAt(index)
    const letter =
      (code >= 48 && code <= 57) ||
      (code >= 65 && code <= 90) ||
      (code >= 97 && code <= 122) ||
      code === 43 ||
      code === 47
    if (!letter) return false
  }
  return end > 0
}
