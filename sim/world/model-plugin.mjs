// A model that reads in the last message what it has to do, so that it does the same when it is asked again after a
// crash: `do m7 strike look` calls the tools `strike` and `look`, one after the other, and then answers "echo m7".
import { definePlugin } from '@mynah/kernel'
import { ModelError, Models } from '@mynah/plugin-ai/api'

const WHO = { provider: 'sim', model: 'one' }
const VIEW = {
  id: WHO.model,
  score: 50,
  contextWindow: 128_000,
  capabilities: { vision: false, streaming: true, toolCalling: true, thinking: false },
}
const USAGE = { input: 10, cachedInput: 0, output: 5 }
const ORDER = /\bdo ([a-z]\d+)((?: [a-z]+)*)/g
/** The words of a task to its sub-agent. */
const ANSWERED = /^The owner has answered/
const APPROVED = /: approved; run exactly that command again/

/** Returns the name of what a sub-agent does for an order: those of messages and of jobs are different ones. */
const nameOf = (id, letter) =>
  `${id.startsWith('j') ? String.fromCharCode(letter.charCodeAt(0) + 1) : letter}${id.slice(1)}`

/** The call of a tool for each word of an order. */
const CALLS = {
  strike: (id) => ({ name: 'strike', input: { id } }),
  look: (id) => ({ name: 'look', input: { id } }),
  question: (id) => ({ name: 'ask_user', input: { question: `which ${id}?` } }),
  choice: (id) => ({ name: 'ask_user', input: { question: `which ${id}?`, choices: [`red ${id}`, `blue ${id}`] } }),
  task: (id) => ({ name: 'spawn_task', input: { task: `do ${nameOf(id, 's')} strike`, label: id } }),
  unlock: (id) => ({ name: 'unlock', input: { id } }),
  apply: (id) => ({ name: 'apply', input: { id } }),
  errand: (id) => ({ name: 'spawn_task', input: { task: `do ${nameOf(id, 's')} apply look`, label: id } }),
  visit: (id) => ({ name: 'spawn_task', input: { task: `do ${nameOf(id, 's')} unlock`, label: id } }),
  later: (id) => ({ name: 'run_deferred_task', input: { task: `do ${nameOf(id, 'd')} strike`, label: id } }),
}

/** Begins what the host adds to an entry of a user, other messages that are being answered among it. */
const ADDED = /^\[It is /

/** Begins what the same user has said to another turn, which answers it. */
const NOTE = /^\[Said by the same user since/

/** Returns the words of the last entry: messages to which a turn has not answered yet come in one with the next. */
function wordsOf({ content }) {
  if (typeof content === 'string') return content
  const texts = content.map((part) => ('text' in part ? part.text : ''))
  return texts.slice(texts.findLastIndex((text) => ADDED.test(text)) + 1).join('\n')
}

/** Returns the order in the last words of a user, and how many results of tools came after it. */
function orderOf(messages, last) {
  const [, id, words] = [...wordsOf(messages[last] ?? { content: '' }).matchAll(ORDER)].at(-1) ?? []
  if (id === undefined) return {}
  const results = messages
    .slice(last + 1)
    .reduce((sum, { role, content }) => sum + (role === 'tool' ? content.length : 0), 0)
  return { order: { id, words: words.trim().split(' ').filter(Boolean) }, results }
}

/** Goes on when the owner has answered: repeats the call that asked, where that was approved. */
function goOn(messages, last) {
  const before = messages.slice(0, last)
  const calls = before.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content.filter(({ type }) => type === 'tool-call') : [],
  )
  const asking = calls.findLast(({ name }) => name === 'apply' || name === 'unlock')
  const isApproved = APPROVED.test(wordsOf(messages[last]))
  if (asking && isApproved && !messages.slice(last).some(({ role }) => role === 'tool'))
    return { texts: [], calls: [{ ...asking, id: `${asking.input.id}-again-${last}` }] }
  return said(asking?.input.id ?? 'nothing')
}

const said = (id) => ({ texts: ['Here it is: ', `echo ${id}`, ', as you', ' wished.'], calls: [] })

/** Returns the parts of the answer to a request. */
function answerTo({ messages }) {
  const last = messages.findLastIndex((message) => message.role === 'user' && !NOTE.test(wordsOf(message)))
  if (last !== -1 && ANSWERED.test(wordsOf(messages[last]))) return goOn(messages, last)
  const { order, results } = orderOf(messages, last)
  if (!order) return { texts: ['I have ', 'nothing to do.'], calls: [] }
  const word = order.words[results]
  if (word === undefined) return said(order.id)
  return { texts: [], calls: [{ type: 'tool-call', id: `${order.id}-${results}`, ...CALLS[word](order.id) }] }
}

/** Resolves after a call of the model, unless the caller gives up. */
function wait(world, label, signal) {
  const { delay, fault } = world.boundaries.decide('model')
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new ModelError('aborted', 'The caller gave up', WHO))
    if (signal?.aborted) return aborted()
    signal?.addEventListener('abort', aborted, { once: true })
    world.scheduler.add(
      label,
      delay,
      () => {
        signal?.removeEventListener('abort', aborted)
        if (fault === 'crash') world.crashSoon('as the model answers')
        if (fault === 'refuse') reject(new ModelError('network', 'The connection to the model broke', WHO))
        else resolve()
      },
      undefined,
      true,
    )
  })
}

/** An answer that ends after its first words. */
function* breakOff(error) {
  yield { type: 'text', text: 'So ' }
  const message = { role: 'assistant', content: [{ type: 'text', text: 'So ' }], model: `${WHO.provider}:${WHO.model}` }
  yield { type: 'finish', reason: 'interrupted', usage: USAGE, message, ...WHO, error }
}

/** Words that the model refuses where the plan of a history says how. */
const POISON = /\bpoison\b/

async function* stream(world, request, signal) {
  const { texts, calls } = answerTo(request)
  if (request.turn !== undefined) world.ledger.worksFor(request.turn)
  await wait(world, 'the model answers', signal)
  const { refusal } = world.plan
  const refused =
    refusal && POISON.test(JSON.stringify(request.messages))
      ? new ModelError(refusal.class, 'The model refuses the request', { ...WHO, status: refusal.status })
      : undefined
  if (refused && !refusal.afterPart) throw refused
  yield { type: 'start', ...WHO }
  if (refused) return yield* breakOff(refused)
  for (const [index, text] of texts.entries()) {
    if (index > 0) await wait(world, 'the model goes on', signal)
    yield { type: 'text', text }
  }
  yield* calls
  const content = [...(texts.length ? [{ type: 'text', text: texts.join('') }] : []), ...calls]
  yield {
    type: 'finish',
    reason: calls.length ? 'tool-calls' : 'stop',
    usage: USAGE,
    message: { role: 'assistant', content, model: `${WHO.provider}:${WHO.model}` },
    ...WHO,
  }
}

export const modelPlugin = (world) =>
  definePlugin({
    name: 'ai',
    provides: [Models],
    setup(ctx) {
      const list = () => [{ alias: WHO.provider, sdk: 'sim', status: 'ready', models: [VIEW] }]
      ctx.provide(Models, {
        stream: (request, { signal }) => stream(world, request, signal),
        candidatesFor: async () => [WHO],
        list,
        model: () => VIEW,
        refresh: async () => list(),
        estimate: ({ messages }) => Math.ceil(JSON.stringify(messages).length / 4),
      })
    },
  })
