// Runs jobs every second, and some that hang. Arguments: data folder, number of jobs, number of jobs that hang.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { definePlugin, HostPaths, type AnyPlugin } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import database from '@mynah/plugin-database'
import { jobHandlers, Jobs } from '../api.js'
import cron from '../index.js'

const [, , data = '', jobs = '5', hanging = '0'] = process.argv
const worker = definePlugin({
  name: 'worker',
  setup(ctx) {
    ctx.contribute(jobHandlers, {
      name: 'worker.write',
      run: (args, { runId }) => appendFileSync(join(data, 'ran.txt'), `${String(args)} ${runId}\n`),
    })
    // It ignores its signal.
    ctx.contribute(jobHandlers, { name: 'worker.hang', run: () => new Promise(() => {}) })
  },
})
const { host } = await startHost(
  [database, { plugin: cron, config: { runTimeout: 1 } }, worker] as unknown as AnyPlugin[],
  {
    services: [[HostPaths, { root: data, data }]] as never,
  },
)
const engine = host.get(Jobs) as Jobs
await engine.addAll(
  Array.from({ length: Number(jobs) }, (_, n) => ({
    id: `job-${n}`,
    trigger: { kind: 'schedule', schedule: { cron: '* * * * * *' } },
    action: { kind: 'handler', handler: 'worker.write', args: `job-${n}` },
    notify: { channel: 'silent' },
    creator: { kind: 'console' },
  })),
)
const hangs = Array.from({ length: Number(hanging) }, (_, n) => `hang-${n}`)
await engine.addAll(
  hangs.map((id) => ({
    id,
    trigger: { kind: 'im' },
    action: { kind: 'handler', handler: 'worker.hang' },
    notify: { channel: 'silent' },
    creator: { kind: 'console' },
  })),
)
for (const id of hangs) await engine.run(id, { evenPaused: true })
process.stdout.write('ready\n')
// Timers of the host do not keep the process alive.
setInterval(() => {}, 1_000)
