// Runs one case of messages that are stored before they are handled: answered ones, or a flood. Prints one JSON line.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { commands } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import { cost, report } from '../lib/measure.mjs'
import { benchPlatform, chatConfig, echo } from '../lib/platform.mjs'

const LANES = 64
const data = mkdtempSync(join(tmpdir(), 'mynah-bench-'))
const round = (value) => +value.toFixed(2)
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

const waiting = new Map()
const platform = benchPlatform(
  'after-store',
  async (target) => {
    waiting.get(target.id)?.()
    return { messageId: `out-${target.id}-${Math.random()}` }
  },
  (ctx) => ctx.contribute(commands, echo),
)
await createHost(
  [{ plugin: database }, { plugin: inbox }, { plugin: platform.plugin }, { plugin: chat, config: chatConfig }],
  { services: [[HostPaths, { root: data, data }]] },
).start()
const endpoint = await platform.endpoint

let count = 0
const receive = (lane) =>
  endpoint.receive({
    id: `m${count++}`,
    channel: { type: 'private', id: `c${lane}` },
    sender: { id: 'u' },
    content: '/echo hello',
  })

/** Measures a number of messages from the adapter to the reply, so many of them at once. */
async function answered(inFlight, total) {
  const latencies = []
  let left = total
  const began = performance.now()
  const cpu = await cost(() =>
    Promise.all(
      Array.from({ length: inFlight }, async (_, lane) => {
        while (left-- > 0) {
          const start = performance.now()
          const replied = new Promise((resolve) => waiting.set(`c${lane}`, resolve))
          await receive(lane)
          await replied
          latencies.push(performance.now() - start)
        }
      }),
    ),
  )
  const seconds = (performance.now() - began) / 1000
  latencies.sort((a, b) => a - b)
  return {
    per_s: Math.round(total / seconds),
    us_cpu: Math.round((cpu * 1000) / total),
    p50_ms: round(at(latencies, 0.5)),
    p99_ms: round(at(latencies, 0.99)),
  }
}

const named = (name, figures) =>
  Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}_${key}`, value]))

const cases = {
  async messages() {
    await answered(LANES, 2_000)
    return {
      case: 'stored-messages',
      ...named('in_flight_64', await answered(LANES, 6_000)),
      ...named('in_flight_1', await answered(1, 1_500)),
    }
  },
  /** Sends messages without waiting for replies. Counts accepted and answered ones. */
  async flood(total = 15_000) {
    await answered(LANES, 2_000)
    let replied = 0
    for (let lane = 0; lane < LANES; lane++)
      waiting.set(`c${lane}`, () => {
        replied++
      })
    const began = performance.now()
    let accepted
    let meanwhile
    let left = total
    const cpu = await cost(async () => {
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          while (left-- > 0) await receive(lane)
        }),
      )
      ;[accepted, meanwhile] = [performance.now() - began, replied]
      while (replied < total) await new Promise((resolve) => setTimeout(resolve, 1))
    })
    const perSecond = (number, ms) => Math.round(number / (ms / 1000))
    return {
      case: 'stored-flood',
      us_cpu: Math.round((cpu * 1000) / total),
      accepted_per_s: perSecond(total, accepted),
      answered_meanwhile_per_s: perSecond(meanwhile, accepted),
      answered_in_all_per_s: perSecond(total, performance.now() - began),
    }
  },
}

const { case: name, ...figures } = await cases[process.argv[2]]()
report(name, { subject: 'store', node: process.version, ...figures })
rmSync(data, { recursive: true, force: true })
process.exit(0)
