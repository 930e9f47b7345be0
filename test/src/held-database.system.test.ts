// Another process, such as a backup or a shell of the operator, holds the SQLite file for longer than the host waits.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { Jobs } from '@mynah/plugin-cron/api'
import { WholeHost } from './whole-host.js'

/** Longer than the five seconds for which the host waits. */
const HOLD_MS = Number(process.env['MYNAH_HOLD_MS'] ?? 7_000)
const MESSAGES = 20
const SQLITE = createRequire(new URL('../../plugins/database/package.json', import.meta.url)).resolve('sqlite3')
const HOLDER = `
const sqlite3 = require(${JSON.stringify(SQLITE)})
const [file, kind, ms] = process.argv.slice(1)
const db = new sqlite3.Database(file)
db.configure('busyTimeout', 5000)
db.run('BEGIN ' + kind, (error) => {
  if (error) throw error
  console.log('held')
  setTimeout(() => db.run('COMMIT', () => db.close()), Number(ms))
})
`
const EFFECTS = `
import { commands, defineCommand, definePlugin, param } from 'mynah'
import { jobHandlers } from '@mynah/plugin-cron/api'
export default definePlugin({
  name: 'effects',
  setup(ctx) {
    const note = (what) => (globalThis.heldEffects ??= []).push(what)
    ctx.contribute(commands, defineCommand({
      name: 'mark', description: 'Notes a word', args: { word: param.rest() }, run: ({ args }) => (note(args.word), 'Marked ' + args.word),
    }))
    ctx.contribute(jobHandlers, { name: 'effects.note', run: (args) => void note(args) })
  },
})
`
const effects = (): string[] => ((globalThis as { heldEffects?: string[] }).heldEffects ??= [])

describe('a database file that another process holds for long', function () {
  this.timeout(4 * (HOLD_MS + 60_000))
  let host: WholeHost
  before(async () => {
    effects().splice(0)
    host = await WholeHost.start('', { plugins: { 'effects.mjs': EFFECTS } })
  })
  after(() => host?.close())

  const answers = async (user: string): Promise<string[]> => {
    const channel = { type: 'private', id: user }
    const { json } = await host.rpc('sandbox:history', { data: { endpointId: 'sandbox', channel, limit: 100 } })
    const { messages } = json['data'] as { messages: { direction: string; text: string }[] }
    return messages.flatMap(({ direction, text }) => (direction === 'out' ? [text] : []))
  }

  for (const kind of ['EXCLUSIVE', 'IMMEDIATE'])
    it(`is used again when it is let go, and everything is handled once, after BEGIN ${kind}`, async () => {
      const jobs = host.loaded.host.get(Jobs)
      const trigger = { kind: 'schedule', schedule: { at: Date.now() + HOLD_MS / 2 } } as const
      const action = { kind: 'handler', handler: 'effects.note', args: `job ${kind}` } as const
      await jobs?.add({ trigger, action, notify: { channel: 'silent' }, creator: { kind: 'host' } })

      const holder = spawn(
        process.execPath,
        ['-e', HOLDER, join(host.folder, 'data/mynah.sqlite'), kind, String(HOLD_MS)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      await once(holder.stdout, 'data')
      const released = once(holder, 'exit')
      const words = Array.from({ length: MESSAGES }, (_, index) => `${kind}-${index}`)
      /** Says a word as a user of its own, as often as the host refuses it. */
      const say = async (word: string): Promise<void> => {
        const data = { endpointId: 'sandbox', channel: { type: 'private', id: word }, sender: { id: word } }
        while ((await host.rpc('sandbox:send', { data: { ...data, content: `/mark ${word}` } })).status !== 200)
          await pause(100)
      }
      const sending = words.map(async (word, index) => {
        await pause((index * HOLD_MS) / MESSAGES)
        await say(word)
      })
      await Promise.all([...sending, released])

      const due = [...words, `job ${kind}`]
      await until(
        () => due.every((what) => effects().includes(what)),
        () => `until these have happened: ${due.filter((what) => !effects().includes(what)).join(', ')}`,
      )
      for (const word of words)
        await until(async () => (await answers(word)).includes(`Marked ${word}`), `for the answer to ${word}`)
      const { json } = await host.rpc('db:info')
      expect(json).to.have.nested.property('data.available', true)
      const times = effects().filter((what) => what.includes(kind))
      expect(times.length, times.join(', ')).to.equal(new Set(times).size)
      expect(times).to.have.members(due)
    })
})
