import type { Candidate, ModelMessage, ModelPart, ModelRequest, Models } from '@mynah/plugin-ai/api'
import type { ContextTransform } from '../api.js'
import type { AgentRuntime } from '../runtime.js'
import type { LiveTurn } from './live-turn.js'

/** Returns the messages after every transform, in the order of their registration. */
export async function applyTransforms(
  transforms: Iterable<ContextTransform>,
  messages: readonly ModelMessage[],
  about: Parameters<ContextTransform>[1],
): Promise<readonly ModelMessage[]> {
  let result = messages
  for (const transform of transforms) result = await transform(result, about)
  return result
}

/**
 * Streams the answer to a request, with the bytes of media in place of their hashes.
 *
 * @param firstPartMs timeout until the first part; default as `ai.trigger.timeout`
 */
export async function* streamRequest(
  { media, events, config }: AgentRuntime,
  live: LiveTurn,
  models: Models,
  candidates: readonly Candidate[],
  request: ModelRequest,
  signal: AbortSignal,
  firstPartMs?: number,
): AsyncGenerator<ModelPart, void> {
  const messages = media ? await media.withBytes(request.messages) : request.messages
  events.emit('phase', live, 'model', { messages: messages.length, tools: request.tools?.length ?? 0 })
  const firstChunkTimeout = firstPartMs ?? (config['ai.trigger'].timeout || undefined)
  yield* models.stream({ ...request, messages }, { candidates, signal, firstChunkTimeout })
}
