// Whatever a provider refuses: the next message of the same person, and of another one, is answered.
import fc from 'fast-check'
import type { Content } from '@mynah/contract/types'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'
import { defineTool, tools } from '@mynah/plugin-ai/api'
import { eachWire, type Body, type Play } from '../test/wire.js'
import { until } from '../testing.js'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toString('base64')
/** Characters that the window of the server takes. */
const MOST = 40_000

/** Messages that a server may refuse. */
const MESSAGES = {
  words: { content: 'tell me of the poison', isRefused: (text: string) => text.includes('poison') },
  picture: {
    content: [
      { type: 'text', data: { text: 'what is it?' } },
      { type: 'image', data: { base64: PNG } },
    ],
    isRefused: (text: string) => text.includes('image_url'),
  },
  result: { content: 'read the page', isRefused: (text: string) => text.includes('a poisoned page') },
  length: { content: `begin ${'word '.repeat(10_000)} end`, isRefused: (text: string) => text.length > MOST },
} as const

const kinds = fc.constantFrom(...(['words', 'picture', 'result', 'length'] as const))
const statuses = fc.constantFrom(400, 403, 404, 406, 410, 413, 415, 422, 500, 501, 502, 520)
/** Bodies of refusals, of servers that say why and of others. */
const bodies = fc.oneof(
  fc.constantFrom('', '{}', '<html>Request blocked</html>', '{"detail":[{"loc":["body"],"msg":"value error"}]}'),
  fc
    .record({
      message: fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('请求内容不合规', 'Bad Request', 'tokens', 'no')),
      type: fc.constantFrom('invalid_request_error', 'server_error', 'BadRequestError', undefined),
      code: fc.constantFrom(null, 400, 'invalid_value', 1210),
    })
    .map((error) => JSON.stringify({ error })),
)
/** Within the stream there is no status. */
const stages = fc.constantFrom('at once', 'within the stream', 'after a part')
/** Where people speak: each alone with the bot, or all in one conversation. */
const places = fc.constantFrom('private', 'group')

const read = defineTool({
  name: 'read',
  description: 'reads the page',
  parameters: Type.Object({}),
  run: () => Promise.resolve('a poisoned page'),
})
const reading = definePlugin({
  name: 'reading',
  setup: (ctx) => void ctx.contribute(tools, read),
}) as unknown as AnyPlugin

/** Returns whether a request has to call the tool now. */
const isToRead = ({ messages }: Body): boolean => JSON.stringify(messages.at(-1)).includes('read the page')

describe('a message that a provider refuses', function () {
  this.timeout(240_000)
  const wires = eachWire()

  it('ends no conversation: the next of the same person, and of another one, are answered', () =>
    fc.assert(
      fc.asyncProperty(kinds, statuses, bodies, stages, places, async (kind, status, body, stage, place) => {
        const { content, isRefused } = MESSAGES[kind]
        const refusal =
          stage === 'at once'
            ? { refusal: { status, body } }
            : {
                text: stage === 'after a part' ? 'so ' : '',
                refusal: { body: body.startsWith('{"') ? body : '{"error":{"message":"no"}}' },
              }
        const play: Play = (asked: Body) => {
          if (isRefused(JSON.stringify(asked.messages))) return refusal
          return isToRead(asked) ? { calls: [{ name: 'read', input: {} }] } : 'fine'
        }
        const { host } = await wires.start(play, { plugins: [{ plugin: reading }] })
        const where = place === 'group' ? ({ channel: { type: 'group', id: 'crew' }, mentioned: true } as const) : {}
        /** Says something, and lets time pass until the bot has answered. */
        const say = async (words: Content, id: string): Promise<string[]> => {
          const before = host.sent.length
          let isOver = false
          void host.say(words, id, where).finally(() => (isOver = true))
          await until(async () => {
            await host.clock.advance(500)
            return isOver
          })
          return host.sent.slice(before).map(({ message }) => message.text)
        }
        await say('hello', 'owner')
        await say(content as Content, 'owner')
        for (const id of ['owner', 'tess']) {
          const answers = await say('and now?', id)
          if (!answers.includes('fine')) throw new Error(`${id} got ${JSON.stringify(answers)}`)
        }
      }),
      { numRuns: 40 },
    ))
})
