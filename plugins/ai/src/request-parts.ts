// The parts of a request that models refuse, or that are looked at before it is sent.
import type { ModelMessage } from './api/messages.js'
import { toolCallsOf } from './api/messages.js'
import type { ModelRequest } from './api/models.js'

/**
 * Returns whether a second try without media, reasoning, a level of thinking and other providers' metadata would differ
 * from the first.
 */
export function canMend({ messages, thinking }: ModelRequest): boolean {
  if (thinking !== undefined) return true
  return messages.some(
    ({ content }) =>
      typeof content !== 'string' &&
      content.some(
        (part) =>
          part.type === 'image' ||
          part.type === 'file' ||
          part.type === 'reasoning' ||
          (part.type === 'tool-result' && typeof part.output !== 'string') ||
          ('providerMetadata' in part && part.providerMetadata !== undefined),
      ),
  )
}

/** Returns the ids of all tool calls of a conversation. */
export function callIds(messages: readonly ModelMessage[]): Set<string> {
  return new Set(messages.flatMap((message) => toolCallsOf(message).map(({ id }) => id)))
}

export function withoutThinking({ thinking: _thinking, ...rest }: ModelRequest): ModelRequest {
  return rest
}

export function withoutTools({ tools: _tools, toolChoice: _choice, ...rest }: ModelRequest): ModelRequest {
  return rest
}

/** Addresses that the provider loads by itself; a runtime on this machine loads none. */
export async function takesUrl(
  family: string,
  model: { readonly supportedUrls: PromiseLike<Record<string, RegExp[]>> | Record<string, RegExp[]> },
): Promise<(url: string, mediaType: string) => boolean> {
  if (family === 'ollama' || family === 'openai-compatible') return () => false
  const supported = Object.entries(await model.supportedUrls)
  return (url, mediaType) =>
    url.length <= 2_000 &&
    supported.some(
      ([type, patterns]) =>
        (type === '*' ||
          type === '*/*' ||
          type === mediaType ||
          (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)))) &&
        patterns.some((pattern) => pattern.test(url)),
    )
}
