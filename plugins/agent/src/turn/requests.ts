// From the conversation to what is asked: transforms of plugins, the bytes of media, and tools that run beforehand.
import { messageOf } from '@mynah/kernel'
import type { Candidate, ModelMessage, ModelRequest, Models, PreExecution, Tool } from '@mynah/plugin-ai/api'
import type { RunnerDeps } from './deps.js'
import type { LiveTurn } from './live.js'

/** Asks the models, with the bytes of media in the place of their hashes. */
export async function* streamed(deps: RunnerDeps, live: LiveTurn, models: Models, request: ModelRequest, { candidates, signal }: { readonly candidates: readonly Candidate[]; readonly signal: AbortSignal }) {
  const messages = deps.media ? await deps.media.filled(request.messages) : request.messages
  deps.phase(live, 'model', { messages: messages.length, tools: request.tools?.length ?? 0 })
  const { timeout } = deps.config()['ai.trigger']
  yield* models.stream({ ...request, messages }, { candidates, signal, firstChunkTimeout: timeout || undefined })
}

/** Messages as plugins would have them. */
export async function transformed({ transforms }: RunnerDeps, messages: readonly ModelMessage[], about: { readonly session: string; readonly agent: string }): Promise<readonly ModelMessage[]> {
  let result = messages
  for (const transform of transforms()) result = await transform(result, about)
  return result
}

/** What tools wish to look up before the model is asked. */
export function preExecutions({ log }: RunnerDeps, { journal, request }: LiveTurn, tools: readonly Tool[]): PreExecution[] {
  const about = { text: journal.text, origin: journal.origin }
  const wanted: PreExecution[] = []
  for (const tool of tools) {
    if (request?.tools?.includes(tool.name) === false) continue
    try {
      const input = tool.preExec?.(about)
      if (input !== undefined) wanted.push({ name: tool.name, input })
    } catch (error) {
      log.warn(`the tool "${tool.name}" cannot say whether it runs beforehand: ${messageOf(error)}`)
    }
  }
  return wanted
}
