import { expect } from 'chai'
import fc from 'fast-check'
import { TestClock } from '@mynah/kernel/testing'
import { isModelError } from '../api/errors.js'
import { toolCallsOf, type ModelMessage } from '../api/messages.js'
import type { FinishReason } from '../api/models.js'
import { defineTool, type Tool } from '../api/tools.js'
import { openCallsOf } from '../loop/open-calls.js'
import { toPrompt } from '../providers/prompt.js'
import type { ScriptedAnswer } from '../testing.js'
import { call, run } from './loop-support.js'
import { chunk, partsAfterWaits, PlayedServer, serviceOf } from './support.js'

const tool = (name: string, body: () => unknown): Tool =>
  defineTool({
    name,
    description: name,
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    effect: 'read',
    run: body,
  })
const tools = [
  tool('quick', () => 'ok'),
  tool('slow', () => new Promise((resolve) => setImmediate(() => resolve({ ok: true })))),
  tool('fails', () => {
    throw new Error('no')
  }),
  tool('rejects', () => Promise.reject(new Error('no'))),
]

const anyCall = fc
  .record({
    name: fc.constantFrom('quick', 'slow', 'fails', 'rejects', 'none'),
    input: fc.oneof(fc.record({ n: fc.oneof(fc.integer(), fc.string()) }), fc.string(), fc.constant({})),
  })
  .map(({ name, input }) => call(name, input))
const anyAnswer: fc.Arbitrary<ScriptedAnswer> = fc
  .record(
    {
      text: fc.option(fc.string(), { nil: undefined }),
      calls: fc.option(fc.array(anyCall, { maxLength: 5 }), { nil: undefined }),
      reason: fc.option(fc.constantFrom<FinishReason>('stop', 'tool-calls', 'length', 'refusal', 'other'), {
        nil: undefined,
      }),
      error: fc.option(fc.constantFrom('network' as const, 'overflow' as const, 'refusal' as const), {
        nil: undefined,
        freq: 8,
      }),
    },
    { requiredKeys: [] },
  )
  .map(
    (answer) => Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined)) as ScriptedAnswer,
  )

describe('agentLoop with any answer of a model', () => {
  it('ends once, within its steps, and leaves no call open', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAnswer, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        async (answers, maxSteps, parallel, steer) => {
          const waiting: ModelMessage[] = steer ? [{ role: 'user', content: 'and?' }] : []
          const { events, end, models } = await run(
            (_request, index) => answers[index % answers.length] as ScriptedAnswer,
            { tools, maxSteps, parallel, followUps: { next: () => waiting.shift() as never } },
          )
          expect(events.filter(({ type }) => type === 'end')).to.have.length(1)
          expect(models.requests.length).to.be.at.most(maxSteps * (steer ? 2 : 1))
          expect(openCallsOf(end.messages)).to.deep.equal([])
          const asked = end.messages.flatMap((message) => toolCallsOf(message).map(({ id }) => id))
          const answered = end.messages.flatMap((message) =>
            message.role === 'tool' ? message.content.map(({ id }) => id) : [],
          )
          expect(answered).to.deep.equal(asked)
          // Each request extends the one before.
          models.requests.reduce((before, next) => {
            expect(next.messages.slice(0, before.messages.length)).to.deep.equal(before.messages)
            return next
          })
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('the prompt of any conversation', () => {
  const part = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    fc.record({ type: fc.constant('image' as const), mediaType: fc.constant('image/png'), data: fc.base64String() }),
  )
  const id = fc.oneof(fc.constantFrom('1', '2', '3'), fc.string())
  const message: fc.Arbitrary<ModelMessage> = fc.oneof(
    fc.record({ role: fc.constant('system' as const), content: fc.string() }),
    fc.record({ role: fc.constant('user' as const), content: fc.oneof(fc.string(), fc.array(part)) }),
    fc.record({
      role: fc.constant('assistant' as const),
      model: fc.constantFrom('it:m', 'other:m'),
      content: fc.oneof(
        fc.string(),
        fc.uniqueArray(
          fc.record({ type: fc.constant('tool-call' as const), id, name: fc.constant('f'), input: fc.jsonValue() }),
          { selector: (each) => each.id },
        ),
      ),
    }),
    fc.record({
      role: fc.constant('tool' as const),
      content: fc.array(
        fc.record({
          type: fc.constant('tool-result' as const),
          id,
          name: fc.constant('f'),
          output: fc.oneof(fc.string(), fc.array(part)),
        }),
      ),
    }),
  ) as fc.Arbitrary<ModelMessage>

  it('has one result right after each call, and the same bytes for the same conversation', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.boolean(), fc.boolean(), (messages, toolMedia, plain) => {
        const target = {
          model: 'it:m',
          toolMedia,
          cacheMarks: true,
          media: true,
          vision: true,
          video: false,
          pdf: false,
          plain,
          takesUrl: () => false,
          loaded: new Map(),
        }
        const prompt = toPrompt(messages, target)
        expect(JSON.stringify(toPrompt(structuredClone(messages), target))).to.equal(JSON.stringify(prompt))
        let seenOther = false
        for (const [index, { role, content }] of prompt.entries()) {
          if (role === 'system') expect(seenOther).to.equal(false)
          else seenOther = true
          const ids = (list: unknown, type: string) =>
            (Array.isArray(list) ? list : [])
              .filter((each: { type: string }) => each.type === type)
              .map((each: { toolCallId: string }) => each.toolCallId)
          const calls = ids(content, 'tool-call')
          if (calls.length) expect(ids(prompt[index + 1]?.content, 'tool-result')).to.deep.equal(calls)
          if (role === 'tool') expect(prompt[index - 1]?.role).to.equal('assistant')
          for (const each of calls) expect(each).to.match(/^[A-Za-z0-9_-]{1,64}$/)
        }
        expect(JSON.stringify(prompt).split('cacheControl').length - 1).to.be.at.most(3)
      }),
      { numRuns: 300 },
    )
  })
})

describe('any response of a server', () => {
  it('becomes an end or a failure with a class', async () => {
    const server = await PlayedServer.start()
    const pieces = fc.array(
      fc.oneof(
        fc.string().map((content) => chunk({ content })),
        fc.constantFrom(
          chunk({}, 'stop'),
          chunk({}, 'length'),
          chunk({}, 'nonsense'),
          'data: [DONE]\n\n',
          ': comment\n\n',
          '\n\n',
          'data: {}\n\n',
          'data: null\n\n',
          'event: error\n',
          'data: {"error": null}\n\n',
          'data: {"choices": []}\n\n',
          'data: {"choices": [null]}\n\n',
        ),
        fc.jsonValue().map((value) => `data: ${JSON.stringify(value)}\n\n`),
        fc
          .record({
            index: fc.nat(3),
            id: fc.string(),
            function: fc.record({ name: fc.string(), arguments: fc.string() }),
          })
          .map((each) => chunk({ tool_calls: [each] })),
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      ),
      { maxLength: 12 },
    )
    try {
      await fc.assert(
        fc.asyncProperty(
          pieces,
          fc.constantFrom(200, 200, 200, 400, 429, 500, 204),
          fc.constantFrom('text/event-stream', 'application/json', 'text/plain', ''),
          fc.boolean(),
          async (sent, status, type, broken) => {
            server.play((response) => {
              response.writeHead(status, type ? { 'content-type': type } : {})
              for (const piece of sent) response.write(piece)
              if (broken) setImmediate(() => response.destroy())
              else response.end()
            })
            const clock = new TestClock()
            const { models, log } = serviceOf(
              {
                it: {
                  sdk: 'openai-compatible',
                  apiKey: 'sk-never-to-be-seen-1234',
                  baseUrl: server.url,
                  models: ['m'],
                },
              },
              { clock },
            )
            try {
              const parts = await partsAfterWaits(models, 'hi', { candidates: [{ provider: 'it', model: 'm' }] }, clock)
              expect(parts.at(-1)?.type).to.equal('finish')
            } catch (error) {
              if (!isModelError(error)) throw error
              expect(error.message).not.to.contain('never-to-be-seen')
            }
            expect(JSON.stringify(log.lines)).not.to.contain('never-to-be-seen')
          },
        ),
        { numRuns: 80 },
      )
    } finally {
      await server.stop()
    }
  })
})
