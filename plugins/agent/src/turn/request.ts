// A request of a turn on its way to a model: what plugins make of its messages, and the bytes of its media.
import type { Candidate, ModelMessage, ModelPart, ModelRequest, Models } from '@mynah/plugin-ai/api'
import type { ContextTransform } from '../api.js'
import type { RunnerDeps } from './deps.js'
import type { LiveTurn } from './live.js'

/** The messages after every transform, in the order in which these were chained. */
export async function transformedBy(
  transforms: readonly ContextTransform[],
  messages: readonly ModelMessage[],
  about: Parameters<ContextTransform>[1],
): Promise<readonly ModelMessage[]> {
  let result = messages
  for (const transform of transforms) result = await transform(result, about)
  return result
}

/** Asks, with media in the place of their hashes. */
export async function* requestOf(
  { media, phase, config }: RunnerDeps,
  live: LiveTurn,
  models: Models,
  candidates: readonly Candidate[],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void> {
  const messages = media ? await media.filled(request.messages) : request.messages
  phase(live, 'model', { messages: messages.length, tools: request.tools?.length ?? 0 })
  const { timeout } = config()['ai.trigger']
  yield* models.stream({ ...request, messages }, { candidates, signal, firstChunkTimeout: timeout || undefined })
}
