import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { isModelError } from '../api/errors.js'
import type { ModelPart } from '../api/models.js'
import { readAnswer } from './answer.js'
import { gate } from '../test/loop-support.js'

const WHO = { provider: 'it', model: 'm' }
const text = (delta: string): LanguageModelV3StreamPart => ({ type: 'text-delta', id: '1', delta })
const finish: LanguageModelV3StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
}

/** Returns a model of the provider interface whose stream a test writes itself. */
function played(doStream: LanguageModelV3['doStream']): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'played',
    modelId: 'm',
    supportedUrls: {},
    doStream,
    doGenerate: () => Promise.reject(new Error('not asked for')),
  }
}

describe('deadlines of an answer', () => {
  let clock: TestClock
  beforeEach(() => void (clock = new TestClock()))
  const read = (model: LanguageModelV3, options: { signal?: AbortSignal; firstChunk?: number; chunk?: number } = {}) =>
    readAnswer(model, { prompt: [] }, WHO, {
      clock,
      secrets: [],
      signal: options.signal,
      firstChunk: options.firstChunk ?? 10_000,
      chunk: options.chunk ?? 2_000,
      taken: () => false,
      usageOf: () => ({ input: 1, cachedInput: 0, output: 1 }),
    })
  const all = async (parts: AsyncIterable<ModelPart>) => {
    const seen: ModelPart[] = []
    for await (const part of parts) seen.push(part)
    return seen
  }
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => (isModelError(error) ? error.class : String(error)),
    )

  it('end a model that neither answers nor listens, and drop late parts', async () => {
    const late = gate<{ stream: ReadableStream<LanguageModelV3StreamPart> }>()
    const asked = gate()
    let cancelled = false
    const answer = failure(
      all(
        read(
          played(() => {
            asked.open()
            return late.promise
          }),
        ),
      ),
    )
    await asked.promise
    await clock.advance(10_000)
    expect(await answer).to.equal('timeout')
    late.open({ stream: new ReadableStream({ cancel: () => void (cancelled = true) }) })
    await new Promise((resolve) => setImmediate(resolve))
    expect(cancelled).to.equal(true)
    expect(clock.pending).to.equal(0)
  })

  it('are extended by each part, and by nothing else', async () => {
    let controller: ReadableStreamDefaultController<LanguageModelV3StreamPart> | undefined
    const begun = gate()
    const seen: ModelPart[] = []
    const reading = (async () => {
      for await (const part of read(
        played(async () => ({ stream: new ReadableStream({ start: (given) => void (controller = given) }) })),
      )) {
        seen.push(part)
        if (seen.length === 1) begun.open()
      }
    })()
    await clock.advance(9_000)
    controller?.enqueue({ type: 'stream-start', warnings: [] })
    controller?.enqueue(text('a'))
    await begun.promise
    for (let index = 0; index < 5; index++) {
      await clock.advance(1_500)
      controller?.enqueue(text('b'))
      await clock.advance(0)
    }
    await clock.advance(2_000)
    await reading
    expect(seen.at(-1)).to.deep.include({ type: 'finish', reason: 'interrupted' })
    expect(seen.filter(({ type }) => type === 'text')).to.have.length(6)
  })

  it('make a signal on demand, and stop with the caller', async () => {
    const abort = new AbortController()
    let given: AbortSignal | undefined
    const asked = gate()
    const answer = failure(
      all(
        read(
          played(({ abortSignal }) => {
            given = abortSignal
            asked.open()
            return new Promise((_resolve, reject) =>
              abortSignal?.addEventListener('abort', () => reject(abortSignal.reason as Error)),
            )
          }),
          { signal: abort.signal },
        ),
      ),
    )
    await asked.promise
    abort.abort()
    expect(await answer).to.equal('aborted')
    expect(given?.aborted).to.equal(true)
    expect(
      await failure(
        all(
          read(
            played(() => new Promise(() => {})),
            { signal: AbortSignal.abort() },
          ),
        ),
      ),
    ).to.equal('aborted')
  })

  it('close the stream of an abandoned answer', async () => {
    let cancelled = false
    const model = played(async () => ({
      stream: new ReadableStream({
        start: (controller) => {
          controller.enqueue(text('a'))
          controller.enqueue(text('b'))
        },
        cancel: () => void (cancelled = true),
      }),
    }))
    for await (const part of read(model)) if (part.type === 'text') break
    expect(cancelled).to.equal(true)
    expect(clock.pending).to.equal(0)
  })

  it('leave nothing behind a whole answer', async () => {
    let given: AbortSignal | undefined
    const parts = await all(
      read(
        played(async ({ abortSignal }) => {
          given = abortSignal
          return {
            stream: new ReadableStream({
              start: (controller) => {
                for (const part of [text('fine'), finish]) controller.enqueue(part)
              },
            }),
          }
        }),
      ),
    )
    expect(parts.map(({ type }) => type)).to.deep.equal(['text', 'finish'])
    expect([given?.aborted, clock.pending]).to.deep.equal([false, 0])
  })
})
