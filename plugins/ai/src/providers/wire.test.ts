import { LLMock } from '@copilotkit/aimock'
import { expect } from 'chai'
import type { LoopEvent } from '../api/loop.js'
import { agentLoop } from '../api.js'
import { defineTool } from '../api/tools.js'
import { isModelError } from '../api/errors.js'
import type { ProviderConfig } from '../config.js'
import { answerOf, partsOf, serviceOf, textIn } from '../test/support.js'

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  effect: 'read',
  run: ({ city }) => `It rains in ${String(city)}`,
})
const clock = defineTool({
  name: 'clock',
  description: 'Tells the time',
  parameters: { type: 'object', properties: {} },
  effect: 'read',
  run: () => 'noon',
})

describe('families over the wire', () => {
  let mock: LLMock
  let origin: string
  const families: Record<string, () => ProviderConfig> = {
    openai: () => ({ sdk: 'openai', apiKey: 'test', baseUrl: `${origin}/v1`, models: ['gpt-4o'] }),
    anthropic: () => ({ sdk: 'anthropic', apiKey: 'test', baseUrl: `${origin}/v1`, models: ['claude-sonnet-4-5'] }),
    google: () => ({ sdk: 'google', apiKey: 'test', baseUrl: `${origin}/v1beta`, models: ['gemini-2.5-pro'] }),
    deepseek: () => ({ sdk: 'deepseek', apiKey: 'test', baseUrl: `${origin}/v1`, models: ['deepseek-chat'] }),
    'ollama, compatible': () => ({ sdk: 'ollama', host: origin, models: ['llama3.2:3b'] }),
    'ollama, native': () => ({ sdk: 'ollama', host: origin, contextWindow: 8192, models: ['llama3.2:3b'] }),
    'openai-compatible': () => ({ sdk: 'openai-compatible', apiKey: 'test', baseUrl: `${origin}/v1`, models: ['any'] }),
    'a bare address': () => ({ sdk: 'openai-compatible', apiKey: 'test', baseUrl: origin, models: ['any'] }),
  }
  const finishes = { finishReason: 'STOP' } as never

  before(async () => {
    mock = new LLMock({ port: 0, host: '127.0.0.1' } as never)
    origin = await mock.start()
  })
  after(() => mock.stop())
  beforeEach(() => mock.reset())

  for (const [name, config] of Object.entries(families)) {
    describe(name, () => {
      const google = name === 'google'
      const reason = google ? finishes : {}
      const start = () => {
        const provider = config()
        const service = serviceOf({ it: provider })
        return { ...service, candidate: { provider: 'it', model: provider.models?.[0] as string } }
      }

      it('streams a text', async () => {
        mock.on({ userMessage: 'hello' }, { content: 'Hello from the mock, dear user.' }, { chunkSize: 6 })
        const { models, candidate, used } = start()
        const parts = await partsOf(models, 'hello', { candidates: [candidate] })
        expect(textIn(parts)).to.equal('Hello from the mock, dear user.')
        expect(parts.filter(({ type }) => type === 'text').length).to.be.greaterThan(2)
        expect(parts.at(-1)).to.deep.include({ type: 'finish', reason: 'stop', provider: 'it', model: candidate.model })
        expect(used).to.have.length(1)
        expect(used[0]).to.deep.include({ kind: 'text', provider: 'it', model: candidate.model })
        expect(used[0]?.usage.input).to.be.greaterThan(0)
      })

      it('runs tools in three steps and in parallel', async () => {
        mock.on(
          { userMessage: 'plan', turnIndex: 0 },
          {
            toolCalls: [
              { name: 'weather', arguments: '{"city":"Oslo"}' },
              { name: 'clock', arguments: '{}' },
            ],
            ...reason,
          },
        )
        mock.on(
          { userMessage: 'plan', turnIndex: 1 },
          { toolCalls: [{ name: 'weather', arguments: '{"city":"Rome"}' }], ...reason },
        )
        mock.on({ userMessage: 'plan', turnIndex: 2 }, { content: 'Take an umbrella.' })
        const { models, candidate } = start()
        const events: LoopEvent[] = []
        for await (const event of agentLoop({
          stream: (request, options) => models.stream(request, { ...options, candidates: [candidate] }),
          messages: [
            { role: 'system', content: 'You help.' },
            { role: 'user', content: 'plan' },
          ],
          tools: [clock, weather],
        }))
          events.push(event)
        const end = events.at(-1)
        expect(end).to.deep.include({ type: 'end', reason: 'answer', text: 'Take an umbrella.', steps: 3 })
        expect(
          events.filter((event) => event.type === 'tool-end').map((event) => [event.call.name, event.result.output]),
        ).to.deep.equal([
          ['weather', 'It rains in Oslo'],
          ['clock', 'noon'],
          ['weather', 'It rains in Rome'],
        ])
        const ids = events.filter((event) => event.type === 'tool-end').map((event) => event.call.id)
        expect(new Set(ids).size).to.equal(3)
      })

      for (const [status, failure] of [
        [401, 'auth'],
        [429, 'rate-limit'],
        [529, 'overloaded'],
        [500, 'server'],
        [404, 'not-found'],
      ] as const) {
        it(`reports status ${status} as ${failure}`, async () => {
          mock.on({ userMessage: 'hello' }, { error: { message: 'No.', type: 'some_error' }, status, retryAfter: 60 })
          const { models, candidate } = start()
          const error = await answerOf(models, 'hello', candidate).catch((thrown: unknown) => thrown)
          expect(isModelError(error) && error.class).to.equal(failure)
        })
      }

      it('reports an overflow', async () => {
        mock.on(
          { userMessage: 'hello' },
          {
            error: {
              message:
                "This model's maximum context length is 8192 tokens; prompt is too long: 9000 tokens > 8192 maximum",
              type: 'invalid_request_error',
              code: 'context_length_exceeded',
            },
            status: 400,
          },
        )
        const { models, candidate } = start()
        const error = await answerOf(models, 'hello', candidate).catch((thrown: unknown) => thrown)
        expect(isModelError(error) && error.class).to.equal('overflow')
      })

      it('asks for whole answers when the model does not stream', async () => {
        mock.on({ userMessage: 'hello', turnIndex: 0 }, { content: 'A whole answer.' })
        const provider = config()
        const { models } = serviceOf({ it: { ...provider, capabilities: { streaming: false } } })
        const parts = await partsOf(models, 'hello', {
          candidates: [{ provider: 'it', model: provider.models?.[0] as string }],
        })
        expect(parts.map(({ type }) => type)).to.deep.equal(['start', 'text', 'finish'])
        expect(textIn(parts)).to.equal('A whole answer.')
        expect(mock.getLastRequest()?.body?.stream ?? false).to.equal(false)
      })

      it('reports a break in the stream and keeps the text before it', async () => {
        mock.on(
          { userMessage: 'hello' },
          { content: 'one two three four five six seven eight nine ten' },
          { chunkSize: 4, truncateAfterChunks: 5, latency: 5 },
        )
        const { models, candidate } = start()
        const end = await answerOf(models, 'hello', candidate)
        expect(end.reason).to.equal('interrupted')
        expect(end.error?.class).to.be.oneOf(['network', 'server'])
        expect(JSON.stringify(end.message.content)).to.contain('one')
      })

      it('stops on an abort', async () => {
        mock.on(
          { userMessage: 'hello' },
          { content: 'one two three four five six seven eight nine ten' },
          { chunkSize: 2, latency: 50 },
        )
        const { models, candidate } = start()
        const abort = new AbortController()
        let error: unknown
        let seen = 0
        try {
          for await (const part of models.stream(
            { messages: [{ role: 'user', content: 'hello' }] },
            { candidates: [candidate], signal: abort.signal },
          )) {
            if (part.type === 'text' && ++seen === 2) abort.abort()
          }
        } catch (thrown) {
          error = thrown
        }
        expect(isModelError(error) && error.class).to.equal('aborted')
      })
    })
  }
})
