// Runs one case: a streamed turn of three steps with twelve tools, and a model without delay.
import { cost, report } from '../lib/measure.mjs'

const WORDS = 'The weather in Oslo is three degrees and cloudy with light rain.'.split(' ').map((word) => `${word} `)
const STEPS = 3
const TOOLS = 12
const usage = { inputTokens: { total: 10, noCache: 10 }, outputTokens: { total: 5, text: 5 } }
const schema = () => ({
  type: 'object',
  properties: { city: { type: 'string' }, n: { type: 'number' }, unit: { type: 'string', enum: ['c', 'f'] } },
  required: ['city'],
  additionalProperties: false,
})
const describe = (index) => `Tool number ${index} that looks something up`

/** Returns the answer of the model: two with a call, then text; the same for all subjects. */
function answer(prompt) {
  let done = 0
  for (const message of prompt) if (message.role === 'tool') done++
  return done < STEPS - 1
    ? {
        call: { type: 'tool-call', toolCallId: `c${done}`, toolName: `tool_${done}`, input: '{"city":"Oslo","n":3}' },
        unified: 'tool-calls',
      }
    : { unified: 'stop' }
}

const model = {
  specificationVersion: 'v3',
  provider: 'instant',
  modelId: 'm',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const { call, unified } = answer(prompt)
    return {
      content: [call ?? { type: 'text', text: WORDS.join('') }],
      finishReason: { unified, raw: unified },
      usage,
      warnings: [],
    }
  },
  async doStream({ prompt }) {
    const { call, unified } = answer(prompt)
    const parts = [{ type: 'stream-start', warnings: [] }]
    if (call)
      parts.push(
        { type: 'tool-input-start', id: call.toolCallId, toolName: call.toolName },
        { type: 'tool-input-delta', id: call.toolCallId, delta: call.input },
        { type: 'tool-input-end', id: call.toolCallId },
        call,
      )
    else
      parts.push({ type: 'text-start', id: '1' }, ...WORDS.map((delta) => ({ type: 'text-delta', id: '1', delta })), {
        type: 'text-end',
        id: '1',
      })
    parts.push({ type: 'finish', finishReason: { unified, raw: unified }, usage })
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

async function ours(whole) {
  const { agentLoop, defineTool } = await import('@mynah/plugin-ai/api')
  const tools = Array.from({ length: TOOLS }, (_, index) =>
    defineTool({
      name: `tool_${index}`,
      description: describe(index),
      parameters: schema(),
      run: async ({ city }) => ({ city, t: index }),
    }),
  )
  const stream = whole ? await throughModels() : await throughOneModel()
  return async () => {
    let end
    for await (const event of agentLoop({
      stream,
      messages: [
        { role: 'system', content: 'You are a helpful bot.' },
        { role: 'user', content: 'hi' },
      ],
      tools,
    }))
      end = event
    if (end.reason !== 'answer' || end.steps !== STEPS || end.text !== WORDS.join(''))
      throw new Error(JSON.stringify(end))
  }
}

/** Measures the loop over the provider interface, as a plugin would use it alone. */
async function throughOneModel() {
  const folder = new URL('../../plugins/ai/dist/', import.meta.url)
  const [{ readAnswer }, { toPrompt }, { callOptions }, { familyOf }, { systemClock }] = await Promise.all([
    import(new URL('stream/answer.js', folder)),
    import(new URL('providers/prompt.js', folder)),
    import(new URL('providers/call-options.js', folder)),
    import(new URL('providers/families.js', folder)),
    import('@mynah/kernel'),
  ])
  const family = familyOf('openai')
  const who = { provider: 'it', model: 'm' }
  const target = {
    model: 'it:m',
    toolMedia: false,
    cacheMarks: false,
    vision: true,
    video: false,
    pdf: false,
    takesUrl: () => false,
    loaded: new Map(),
  }
  const limits = {
    clock: systemClock,
    firstChunk: 60_000,
    chunk: 60_000,
    secrets: [],
    taken: () => false,
    usageOf: ({ inputTokens, outputTokens }) => ({
      input: inputTokens.total,
      cachedInput: 0,
      output: outputTokens.total,
    }),
  }
  return (request, { signal }) =>
    readAnswer(
      model,
      callOptions(request, toPrompt(request.messages, target), family, { optionsKey: 'openai' }, { id: 'm' }),
      who,
      {
        ...limits,
        signal,
      },
    )
}

/** Measures the whole service: candidates, cooldowns, estimates, counters. */
async function throughModels() {
  const folder = new URL('../../plugins/ai/dist/', import.meta.url)
  const [{ AiModels }, { familyOf }, { systemClock }] = await Promise.all([
    import(new URL('service.js', folder)),
    import(new URL('providers/families.js', folder)),
    import('@mynah/kernel'),
  ])
  familyOf('openai').connect = async () => ({ optionsKey: 'openai', language: () => model })
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const models = new AiModels({
    config: { providers: { it: { sdk: 'openai', apiKey: 'k', models: ['m'] } } },
    clock: systemClock,
    log: silent,
    web: {},
    used() {},
    stateChanged() {},
    budgetExceeded() {},
  })
  const candidates = [{ provider: 'it', model: 'm' }]
  return (request, { signal }) => models.stream(request, { candidates, signal })
}

async function theirs(streaming) {
  const { createRequire } = await import('node:module')
  const { pathToFileURL } = await import('node:url')
  const from = createRequire(new URL('../../plugins/ai/package.json', import.meta.url))
  const { generateText, jsonSchema, stepCountIs, streamText, tool } = await import(
    pathToFileURL(from.resolve('ai')).href
  )
  const tools = Object.fromEntries(
    Array.from({ length: TOOLS }, (_, index) => [
      `tool_${index}`,
      tool({
        description: describe(index),
        inputSchema: jsonSchema(schema()),
        execute: async ({ city }) => ({ city, t: index }),
      }),
    ]),
  )
  const options = {
    model,
    system: 'You are a helpful bot.',
    prompt: 'hi',
    tools,
    stopWhen: stepCountIs(15),
    maxRetries: 0,
  }
  if (!streaming) {
    return async () => {
      const { steps } = await generateText(options)
      if (steps.length !== STEPS) throw new Error(`${steps.length} steps`)
    }
  }
  return async () => {
    let steps = 0
    for await (const part of streamText(options).fullStream) if (part.type === 'finish-step') steps++
    if (steps !== STEPS) throw new Error(`${steps} steps`)
  }
}

const subject = process.argv[2]
if (subject === 'import' || subject === 'memory') {
  await Promise.all(
    [
      '@mynah/kernel',
      '@mynah/contract',
      '@mynah/contract/type',
      '@mynah/plugin-http-core/api',
      '@mynah/plugin-console-rpc/api',
      '@mynah/plugin-management/api',
    ].map((name) => import(name)),
  )
  if (subject === 'import') {
    const cpu = process.cpuUsage()
    await import('@mynah/plugin-ai')
    const { user, system } = process.cpuUsage(cpu)
    report('agent-import', { cpu_ms: +((user + system) / 1000).toFixed(1) })
  } else {
    // Measures live memory after a collection. A collection would slow the import, so its time is not measured here.
    const memory = () => {
      globalThis.gc()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const before = memory()
    await import('@mynah/plugin-ai')
    report('agent-import-memory', { mib: +((memory() - before) / 2 ** 20).toFixed(1) })
  }
} else {
  const isOurs = subject === 'loop' || subject === 'models'
  const turn = isOurs ? await ours(subject === 'models') : await theirs(subject === 'streamText')
  // CPU time, also for the warm-up: on a busy machine a second of the clock is less CPU time.
  const used = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  for (const begin = used(); used() - begin < 800_000;) await turn()
  let turns = 0
  const took = await cost(async () => {
    for (const begin = used(); used() - begin < 1_000_000; turns++) await turn()
  })
  report('agent-turn', {
    subject,
    turns_per_cpu_s: Math.round((turns / took) * 1000),
    us_cpu_per_turn: Math.round((took * 1000) / turns),
  })
}
