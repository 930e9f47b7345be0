// A model that does not stream, as one that does: its whole answer is the parts of a stream.
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'

/** Returns a model that does not stream as one that does. */
export function asStream(model: LanguageModelV3): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      const { content, finishReason, usage, providerMetadata, warnings } = await model.doGenerate(options)
      const parts: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings }]
      for (const [index, part] of content.entries()) {
        const id = String(index)
        const metadata = part.providerMetadata ? { providerMetadata: part.providerMetadata } : {}
        if (part.type === 'text')
          parts.push(
            { type: 'text-start', id, ...metadata },
            { type: 'text-delta', id, delta: part.text },
            { type: 'text-end', id },
          )
        else if (part.type === 'reasoning')
          parts.push(
            { type: 'reasoning-start', id, ...metadata },
            { type: 'reasoning-delta', id, delta: part.text },
            { type: 'reasoning-end', id },
          )
        else parts.push(part)
      }
      parts.push({ type: 'finish', finishReason, usage, ...(providerMetadata ? { providerMetadata } : {}) })
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            controller.close()
          },
        }),
      }
    },
  }
}
