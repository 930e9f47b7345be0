// `node --expose-gc worker.mjs <case> [commands]`: one measurement of messages. Prints one JSON line.
import { createHost, definePlugin } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, commands, defineAdapter, defineCommand, middlewares, param } from '@mynah/plugin-chat/api'
import { rate, report } from '../lib/measure.mjs'
import { benchPlatform, chatConfig } from '../lib/platform.mjs'

const IN_FLIGHT = 64
const MIDDLEWARES = 20

const benchCommand = (index) =>
  defineCommand({
    name: `cmd${index}`,
    description: 'benchmark',
    args: { text: param.rest() },
    run: ({ args }) => `ok ${args.text}`,
  })

/** Starts a host with a platform that encodes and counts replies. */
async function setup(count) {
  let sent = () => {}
  let replies = 0
  const platform = benchPlatform(
    'never',
    async (target, message) => {
      if (JSON.stringify({ channel: target, segments: message.segments }).length < 10)
        throw new Error('nothing was encoded')
      replies++
      sent()
      return { messageId: `out${replies}` }
    },
    (ctx) => {
      for (let index = 0; index < MIDDLEWARES; index++)
        ctx.contribute(middlewares, { name: `pass${index}`, handle: (_message, next) => next() })
      for (let index = 0; index < count; index++) ctx.contribute(commands, benchCommand(index))
    },
  )
  const host = await createHost([{ plugin: platform.plugin }, { plugin: chat, config: chatConfig }], {
    log({ level, message }) {
      if (level === 'error' || level === 'warn') throw new Error(message)
    },
  }).start()
  const endpoint = await platform.endpoint
  let next = 0
  const say = (content, type) =>
    endpoint.receive({
      id: `m${next++}`,
      channel: { type, id: `c${next % IN_FLIGHT}` },
      sender: { id: '9', name: '9' },
      content,
      timestamp: 1,
    })
  /** Sends this many messages at once and waits for all replies. */
  const answered = (content, type = 'private') =>
    new Promise((resolve, reject) => {
      let left = IN_FLIGHT
      sent = () => {
        if (--left === 0) resolve()
      }
      for (let index = 0; index < IN_FLIGHT; index++) say(content, type).catch(reject)
    })
  /** Measures messages without a reply: accepted, and handled within a turn of the loop. */
  const unanswered = async (content, type) => {
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => say(content, type)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await answered(`/cmd${count - 1} hello`)
  if (replies !== IN_FLIGHT) throw new Error(`${replies} replies instead of ${IN_FLIGHT}`)
  return { host, answered, unanswered }
}

const cases = {
  async dispatch(count) {
    const { answered, unanswered } = await setup(count)
    return {
      commands: count,
      middlewares: MIDDLEWARES,
      in_flight: IN_FLIGHT,
      command_per_s: await rate(() => answered(`/cmd${count - 1} hello`), { batch: IN_FLIGHT }),
      chat_direct_per_s: await rate(() => unanswered('plain chat text, no command', 'private'), { batch: IN_FLIGHT }),
      chat_group_per_s: await rate(() => unanswered('plain chat text, no command', 'group'), { batch: IN_FLIGHT }),
    }
  },
}

/** Measures this many accounts of one platform, each with ten messages per second, evenly spread. */
async function many(accounts, seconds = 5) {
  const handles = new Map()
  const replied = new Map()
  const platform = definePlugin({
    name: 'bench-platform',
    setup(ctx) {
      ctx.contribute(
        adapters,
        defineAdapter({
          name: 'bench',
          acknowledges: 'never',
          create: (handle) => ({
            async connect() {
              handles.set(handle.id, handle)
            },
            async disconnect() {},
            async send(target) {
              replied.get(target.id)?.()
              replied.delete(target.id)
            },
          }),
        }),
      )
      ctx.contribute(
        commands,
        defineCommand({
          name: 'echo',
          description: 'benchmark',
          args: { text: param.rest() },
          run: ({ args }) => args.text,
        }),
      )
    },
  })
  const endpoints = Array.from({ length: accounts }, (_, index) => ({ adapter: 'bench', id: `account${index}` }))
  const host = await createHost([{ plugin: platform }, { plugin: chat, config: { endpoints } }]).start()
  while (handles.size < accounts) await new Promise((resolve) => setTimeout(resolve, 10))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const took = []
  let sent = 0
  const began = performance.now()
  const total = accounts * 10 * seconds
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * accounts * 10))
      for (; sent < due; sent++) {
        const id = `m${sent}`
        const start = performance.now()
        replied.set(id, () => {
          took.push(performance.now() - start)
          if (took.length === total) {
            clearInterval(timer)
            resolve()
          }
        })
        handles
          .get(`account${sent % accounts}`)
          .receive({ id, channel: { type: 'private', id }, sender: { id: 'u' }, content: '/echo hello' })
      }
    }, 1)
  })
  await host.stop()
  took.sort((a, b) => a - b)
  const at = (share) => +took[Math.floor((took.length - 1) * share)].toFixed(2)
  return { endpoints: accounts, messages: total, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) }
}
cases.endpoints = (accounts) => many(accounts)

const [name, count = '1'] = process.argv.slice(2)
report(name, { subject: 'chat', node: process.version, ...(await cases[name](Number(count))) })
process.exit(0)
