// `node bench/agent/requests.mjs`, after a build: the requests of a host with every plugin, as model servers get them.
// Prints JSON lines: the bytes of a "hello" from its owner, from a stranger, and in a group, and the share of all bytes
// of a conversation that repeats the beginning of an earlier request, which providers cache.
import { ModelServer } from '../../test/dist/model-server.js'
import { say } from '../../test/dist/sandbox-talk.js'
import { WholeHost } from '../../test/dist/whole-host.js'

const TURNS = 30

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
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: none, models: [player] } }
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

for (const [who, where, content] of [
  ['owner', { user: 'alice', channel: { type: 'private', id: 'long' } }, (text) => text],
  ['stranger', { user: 'bob' }, (text) => text],
  [
    'owner and stranger in a group',
    { channel: { type: 'group', id: 'long' } },
    (text) => [mention[0], { type: 'text', data: { text: ` ${text}` } }],
  ],
]) {
  // Providers keep the prefixes of several requests, such as those of an owner and of strangers in one group.
  const before = []
  const sums = { all: { shared: 0, bytes: 0 }, turns: { shared: 0, bytes: 0 } }
  for (let turn = 0; turn < TURNS; turn++) {
    const speaker = who.includes(' and ') ? { user: turn % 2 ? 'alice' : 'bob' } : {}
    const text = turn % 3 ? `And what is the weather in town ${turn}?` : `Please look what I said about ${turn}`
    for (const body of await asked(content(text), { ...where, ...speaker })) {
      const prompt = promptOf(body)
      const repeated = Math.max(0, ...before.map((earlier) => sharedBytes(earlier, prompt)))
      const isSummary = prompt.includes('Write a summary by which the assistant can go on')
      sums.all.shared += repeated
      sums.all.bytes += prompt.length
      if (isSummary) continue
      sums.turns.shared += repeated
      sums.turns.bytes += prompt.length
      before.push(prompt)
    }
  }
  const share = ({ shared, bytes }) => +(shared / bytes).toFixed(3)
  const shares = { share_of_turns: share(sums.turns), share_with_summaries: share(sums.all) }
  console.log(JSON.stringify({ case: 'agent-prefix', subject: who, turns: TURNS, ...shares }))
}
await host.close()
await server.stop()
process.exit()
