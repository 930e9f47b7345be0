// A host with stored messages on an ephemeral port. Messages over IPC: a number sets the rate of messages per second,
// 'cpu' asks for the CPU time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { commands } from '@mynah/plugin-chat/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import inbox from '@mynah/plugin-inbox'
import management from '@mynah/plugin-management'
import { benchPlatform, chatConfig, echo } from '../lib/platform.mjs'

const STEP_MS = 10
const data = mkdtempSync(join(tmpdir(), 'mynah-bench-'))
let sent = 0
const platform = benchPlatform(
  'after-store',
  async () => ({ messageId: `out-${sent++}` }),
  (ctx) => ctx.contribute(commands, echo),
)
const host = await createHost(
  [
    { plugin: httpCore, config: { port: 0, token: '0123456789abcdef0123456789abcdef' } },
    { plugin: consoleRpc },
    { plugin: events },
    { plugin: database },
    { plugin: inbox },
    { plugin: management },
    { plugin: platform.plugin },
    { plugin: chat, config: chatConfig },
  ],
  { services: [[HostPaths, { root: data, data }]] },
).start()
const endpoint = await platform.endpoint
process.send({ url: `${host.get(Http).origin}/api` })

let timer
let count = 0
process.on('message', (message) => {
  if (message === 'cpu') return process.send({ cpu: process.cpuUsage(), answered: sent })
  clearInterval(timer)
  let owed = 0
  if (message > 0)
    timer = setInterval(() => {
      for (owed += (message * STEP_MS) / 1000; owed >= 1; owed--) {
        const id = count++
        void endpoint.receive({
          id: `m${id}`,
          channel: { type: 'private', id: `c${id % 50}` },
          sender: { id: 'u' },
          content: '/echo hello',
        })
      }
    }, STEP_MS)
  process.send({ rate: message })
})
process.on('disconnect', () => {
  rmSync(data, { recursive: true, force: true })
  process.exit(0)
})
