// Runs one case: turns in memory and in SQLite, and the view of a long session.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, HostPaths } from '@mynah/kernel'
import agent from '@mynah/plugin-agent'
import { scripted, scriptedModels } from '@mynah/plugin-ai/testing'
import chat from '@mynah/plugin-chat'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import inbox from '@mynah/plugin-inbox'
import { DatabaseSessions } from '../../plugins/agent/dist/session/database-store.js'
import { cost, rate, report } from '../lib/measure.mjs'
import { benchPlatform, chatConfig } from '../lib/platform.mjs'

const SESSIONS = 64
const data = mkdtempSync(join(tmpdir(), 'mynah-bench-'))
const sections = Object.fromEntries(
  ['ai.agents', 'ai.sessions', 'ai.context', 'ai.trigger', 'ai.multimodal', 'ai.agent'].map((key) => [
    key,
    {
      'ai.context': { enabled: false },
      'ai.trigger': { collectMs: 0 },
      // Its callers ask as often as they can.
      'ai.agent': { rateLimit: { strangersPerHour: 0 } },
    }[key] ?? {},
  ]),
)

/** Starts a host with the agent. Returns a function that asks it. */
async function start(stored) {
  const answered = new Map()
  const platform = benchPlatform('never', async (target) => {
    answered.get(target.id)?.()
  })
  // Long conversations would measure how the model reads: each caller has its own session and resets it at times.
  const models = scriptedModels(() => 'Three degrees and light rain.')
  const host = await createHost(
    [
      ...(stored ? [{ plugin: database }, { plugin: inbox }] : []),
      { plugin: scripted(models) },
      { plugin: platform.plugin },
      { plugin: chat, config: chatConfig },
      { plugin: agent, config: sections },
    ],
    {
      services: [[HostPaths, { root: data, data }]],
      log({ level, message }) {
        if (level === 'error') throw new Error(message)
      },
    },
  ).start()
  const account = await platform.endpoint
  let next = 0
  const ask = async (lane) => {
    const id = `${lane}-${Math.floor(next / (SESSIONS * 8))}`
    const done = new Promise((resolve) => {
      answered.set(id, resolve)
    })
    await account.receive({
      id: `m${next++}`,
      channel: { type: 'private', id },
      sender: { id },
      content: 'What is the weather in Oslo?',
    })
    await done
    models.requests.length = 0
  }
  return { host, ask }
}

const cases = {
  async memory() {
    const { ask } = await start(false)
    return {
      case: 'agent-chat',
      turns_per_cpu_s: await rate(() => Promise.all(Array.from({ length: 16 }, (_, lane) => ask(lane))), { batch: 16 }),
    }
  },
  async sqlite() {
    const { ask } = await start(true)
    const run = async (inFlight, turns) => {
      let left = turns
      const began = performance.now()
      const cpu = await cost(() =>
        Promise.all(
          Array.from({ length: inFlight }, async (_, lane) => {
            while (left-- > 0) await ask(`${inFlight}-${lane}`)
          }),
        ),
      )
      return { perSecond: turns / ((performance.now() - began) / 1000), usCpu: Math.round((cpu * 1000) / turns) }
    }
    await run(16, 300)
    const many = await run(16, 1_000)
    const one = await run(1, 300)
    return {
      case: 'agent-stored',
      in_flight_16_per_s: Math.round(many.perSecond),
      in_flight_16_us_cpu: many.usCpu,
      in_flight_1_ms: +(1000 / one.perSecond).toFixed(1),
      in_flight_1_us_cpu: one.usCpu,
    }
  },
  async view() {
    const { host } = await start(true)
    const store = new DatabaseSessions(host.get(Database), () => Date.now())
    const { session } = await store.open('bench|long', { adapter: 'bench', endpoint: 'bench', channel: null })
    const entry = (index) => ({
      kind: 'message',
      role: index % 2 ? 'assistant' : 'user',
      content: [{ type: 'text', text: `message ${index} about something that was said` }],
    })
    for (let from = 0; from < 100_000; from += 2_000)
      await store.append(
        session.id,
        0,
        Array.from({ length: 2_000 }, (_, index) => entry(from + index)),
      )
    const kept = Array.from({ length: 10 }, (_, index) => 99_991 + index)
    await store.append(session.id, 0, [
      { kind: 'summary', content: { text: 'a summary', kept, reason: 'window' } },
      ...Array.from({ length: 200 }, (_, index) => entry(index)),
    ])
    const { leaf } = await store.byId(session.id)
    const took = []
    for (let round = 0; round < 200; round++) {
      const began = performance.now()
      const path = await store.path(session.id, leaf)
      took.push(performance.now() - began)
      if (path.length !== 211) throw new Error(`${path.length} entries`)
    }
    return { case: 'agent-view', entries: 100_000, p50_ms: +took.sort((a, b) => a - b)[100].toFixed(2) }
  },
}

const { case: name, ...figures } = await cases[process.argv[2]]()
report(name, { subject: 'agent', node: process.version, ...figures })
rmSync(data, { recursive: true, force: true })
process.exit(0)
