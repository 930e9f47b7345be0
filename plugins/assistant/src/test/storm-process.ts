import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { definePlugin, HostPaths, type AnyPlugin } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import consoleRpc from '@mynah/plugin-console-rpc'
import cron from '@mynah/plugin-cron'
import { jobAction, jobActions, Jobs } from '@mynah/plugin-cron/api'
import database from '@mynah/plugin-database'
import events from '@mynah/plugin-events'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import assistant from '../index.js'

const [, , data = '', token = '', rateLimit = '60'] = process.argv
const worker = definePlugin({
  name: 'worker',
  setup(ctx) {
    ctx.contribute(
      jobActions,
      jobAction<'agent'>({
        kind: 'agent',
        run: ({ prompt }, { runId }) => {
          appendFileSync(join(data, 'ran.txt'), `${prompt} ${runId}\n`)
          return Promise.resolve({ text: 'seen' })
        },
      }),
    )
  },
})
const { host } = await startHost(
  [
    { plugin: httpCore, config: { port: 0, token } },
    { plugin: consoleRpc },
    { plugin: events },
    { plugin: database },
    { plugin: worker },
    { plugin: cron },
    { plugin: assistant, config: { enabled: true, events: { enabled: true, rateLimit: Number(rateLimit) } } },
  ] as unknown as { plugin: AnyPlugin }[],
  { services: [[HostPaths, { root: data, data }]] as never },
)
process.stdout.write(`${host.get(Http)?.origin}\n`)
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ rss: process.memoryUsage.rss(), jobs: host.get(Jobs)?.list().length })
})
