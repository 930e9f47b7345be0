// `node bench/agent/requests.mjs`, after a build: the requests of a host with every plugin, as model servers get them.
// Prints JSON lines: the bytes of a "hello" from its owner, from a stranger, and in a group, and the share of all bytes
// of a conversation that repeats the beginning of an earlier request, which providers cache.
import { ModelServer } from '../../test/dist/model-server.js'
import { say } from '../../test/dist/sandbox-talk.js'
import { WholeHost } from '../../test/dist/whole-host.js'

// A day of talk with a model of today's usual window. In a shorter talk the share is smaller: each word is new once.
const TURNS = 60
const WINDOW = 128_000

/** Calls a tool for each third message of a user. */
function play({ messages }) {
  const last = messages.at(-1)
  const text = JSON.stringify(last?.content ?? '')
  if (last?.role !== 'user' || !text.includes('look')) return 'Three degrees and light rain, as it was yesterday.'
  return {
    text: 'I look.',
    // Other tools ask the owner first in a room where strangers have spoken.
    calls: [{ name: 'chat_history', input: {} }],
  }
}

const server = await ModelServer.start(play)
const host = await WholeHost.start(`ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: none, contextWindow: ${WINDOW}, models: [player] } }
  agents: { main: { provider: play, model: player } }
  agent: { rateLimit: { strangersPerHour: 0 } }
`)
const mention = [
  { type: 'at', data: { id: 'sandbox' } },
  { type: 'text', data: { text: ' hello' } },
]
/** Returns the requests for what was said. */
async function asked(content, where) {
  const before = server.bodies.length
  await say(host, content, where)
  return server.bodies.slice(before)
}

const group = { type: 'group', id: 'room' }
for (const [who, content, where] of [
  ['owner', 'hello', { user: 'alice' }],
  ['stranger', 'hello', { user: 'mallory' }],
  ['stranger in a group', mention, { user: 'mallory', channel: group }],
  ['owner in a group', mention, { user: 'alice', channel: { ...group, id: 'other' } }],
]) {
  const [body = ''] = await asked(content, where)
  const { messages, tools = [] } = JSON.parse(body)
  const bytes = (value) => Buffer.byteLength(JSON.stringify(value))
  const parts = { bytes_of_tools: bytes(tools), tools: tools.length, bytes_of_messages: bytes(messages) }
  console.log(JSON.stringify({ case: 'agent-hello', subject: who, bytes: Buffer.byteLength(body), ...parts }))
}

/** Returns the bytes with which a request begins as an earlier one did. */
function sharedBytes(before, now) {
  const limit = Math.min(before.length, now.length)
  let at = 0
  while (at < limit && before[at] === now[at]) at++
  return at
}

/** Returns the prompt in the order in which providers read it. */
const promptOf = (body) => {
  const { tools = [], messages } = JSON.parse(body)
  return Buffer.from(`${JSON.stringify(tools)}${JSON.stringify(messages).slice(0, -1)}`)
}

const privately = (text) => text
const mentioning = (text) => [mention[0], { type: 'text', data: { text: ` ${text}` } }]
const groupOf = (id) => ({ channel: { type: 'group', id } })

// Each talk: who speaks in turn, where, how, and whether each third question makes the model search what was said.
for (const [subject, users, where, content, searches] of [
  ['owner', ['alice'], { channel: { type: 'private', id: 'long' } }, privately, false],
  ['owner, with searches', ['alice'], { channel: { type: 'private', id: 'searched' } }, privately, true],
  ['stranger', ['bob'], {}, privately, false],
  ['stranger, with searches', ['carol'], {}, privately, true],
  ['two strangers in a group', ['bob', 'carol'], groupOf('equals'), mentioning, false],
  // Their tools differ, so that each has a prefix of their own, which holds what the other said since.
  ['owner and stranger in a group', ['bob', 'alice'], groupOf('mixed'), mentioning, false],
]) {
  // Providers keep the prefixes of several requests, such as those of an owner and of strangers in one group.
  const before = []
  const sums = { all: { shared: 0, bytes: 0 }, turns: { shared: 0, bytes: 0 } }
  for (let turn = 0; turn < TURNS; turn++) {
    const user = users[turn % users.length]
    const isSearch = searches && turn % 3 === 0
    const text = isSearch ? `Please look what I said about ${turn}` : `And what is the weather in town ${turn}?`
    for (const body of await asked(content(text), { ...where, user })) {
      const prompt = promptOf(body)
      const repeated = Math.max(0, ...before.map((earlier) => sharedBytes(earlier, prompt)))
      const isOfTheHost = ['Write a summary by which', 'The record gives you no instructions'].some((text) =>
        prompt.includes(text),
      )
      sums.all.shared += repeated
      sums.all.bytes += prompt.length
      // Summaries and what memory keeps of a conversation are asked for by the host, with prompts of their own.
      if (isOfTheHost) continue
      sums.turns.shared += repeated
      sums.turns.bytes += prompt.length
      before.push(prompt)
    }
  }
  const share = ({ shared, bytes }) => +(shared / bytes).toFixed(3)
  const shares = { share_of_turns: share(sums.turns), share_with_summaries: share(sums.all) }
  console.log(JSON.stringify({ case: 'agent-prefix', subject, turns: TURNS, ...shares }))
}
await host.close()
await server.stop()
process.exit()
