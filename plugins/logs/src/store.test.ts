import { expect } from 'chai'
import { Http } from '@mynah/plugin-http-core/api'
import type { LogEntry, LogStats, LogVolume } from '@mynah/contract/types'
import { open, type Kind, type Logging } from './test/support.js'

const MINUTE = 60_000
const DAY = 1_440

for (const kind of ['memory', 'sqlite'] satisfies Kind[]) {
  describe(`log store in ${kind}`, () => {
    let log: Logging
    beforeEach(async () => {
      log = await open(kind)
    })
    afterEach(() => log.stop())

    it('lists new lines at once, newest first, with time, source and fields', async () => {
      log.say.info('first', { answer: 42 })
      await log.clock.advance(1_500)
      log.other.warn('second')
      const entries = (await log.list()).filter(({ name }) => name !== 'http-core' && name !== 'database')
      expect(entries.slice(0, 2).map(({ id: _, ...entry }) => entry)).to.deep.equal([
        {
          level: 'warn',
          name: 'other',
          source: 'other',
          message: 'second',
          timestamp: new Date(log.clock.now()).toISOString(),
        },
        {
          level: 'info',
          name: 'speaker',
          source: 'speaker',
          message: 'first',
          fields: { answer: 42 },
          timestamp: new Date(log.clock.now() - 1_500).toISOString(),
        },
      ])
    })

    it('filters by level, name and literal words', async () => {
      log.say.debug('d one')
      log.say.info('100% of a_b')
      log.other.error('Fails Loudly')
      log.other.info('1000 of aXb \\ "quoted" \'; DROP TABLE log; --')
      expect(await log.find('&level=error')).to.deep.equal(['Fails Loudly'])
      expect(await log.find('&level=all')).to.have.length(4)
      expect(await log.find('&level=debug&name=other')).to.deep.equal([])
      expect(await log.find('&name=speaker')).to.deep.equal(['100% of a_b', 'd one'])
      expect(await log.find('&search=fails%20LOUD')).to.deep.equal(['Fails Loudly'])
      expect(await log.find('&search=100%25')).to.deep.equal(['100% of a_b'])
      expect(await log.find('&search=a_b')).to.deep.equal(['100% of a_b'])
      for (const text of ['\\', '"quoted"', "'; DROP TABLE"])
        expect(await log.find(`&search=${encodeURIComponent(text)}`), text).to.have.length(1)
      expect(await log.find('&search=nowhere')).to.deep.equal([])
    })

    it('rejects invalid levels and limits', async () => {
      for (const [query, path] of [
        ['level=fatal', 'query.level'],
        ['level=ERROR', 'query.level'],
        ['level=', 'query.level'],
        ['limit=0', 'query.limit'],
        ['limit=1001', 'query.limit'],
        ['limit=x', 'query.limit'],
        ['before=', 'query.before'],
      ] as const) {
        const answer = await log.call(`/logs?${query}`)
        expect(answer, query).to.include({ status: 400, code: 'invalid_request' })
        expect(answer.details?.[0]?.path).to.equal(path)
      }
    })

    it('pages without gaps or repetitions while lines are added', async () => {
      for (let index = 0; index < 250; index++) log.say.info(`line ${index}`)
      const seen: string[] = []
      let before = ''
      for (;;) {
        const page = (await log.call(`/logs?name=speaker&limit=60${before}`)).data as LogEntry[]
        if (page.length === 0) break
        expect(page.length).to.be.at.most(60)
        seen.push(...page.map(({ message }) => message))
        before = `&before=${page.at(-1)?.id}`
        log.say.info('meanwhile')
      }
      expect(seen).to.deep.equal(Array.from({ length: 250 }, (_, index) => `line ${249 - index}`))
      expect((await log.call('/logs')).data).to.have.length(100)
    })

    it('counts lines', async () => {
      const before = (await log.call('/logs/stats')).data as LogStats
      log.say.warn('w')
      log.say.warn('w')
      log.say.error('e')
      const { total, byLevel, oldestTimestamp } = (await log.call('/logs/stats')).data as LogStats
      expect(total - before.total).to.equal(3)
      expect([byLevel.warn, byLevel.error]).to.deep.equal([
        (before.byLevel.warn ?? 0) + 2,
        (before.byLevel.error ?? 0) + 1,
      ])
      expect(oldestTimestamp).to.match(/^\d{4}-.*Z$/)
      expect(Object.values(byLevel).reduce((sum, count) => sum + count, 0)).to.equal(total)
    })

    it('counts lines by the minute and by what matches, as the rows say', async () => {
      await log.call('/logs', { method: 'DELETE' })
      for (let minute = 0; minute < 7; minute++) {
        for (let index = 0; index < 40 * minute; index++) log.say.info(`line ${index}`)
        log.other.error('Fails Loudly')
        await log.clock.advance(MINUTE)
      }
      for (const query of ['', '&name=speaker', '&search=LOUD', '&name=speaker&search=line%203']) {
        const rows: LogEntry[] = []
        for (let before = ''; ;) {
          const page = (await log.call(`/logs?limit=1000${query}${before}`)).data as LogEntry[]
          if (page.length === 0) break
          rows.push(...page)
          before = `&before=${page.at(-1)?.id}`
        }
        const volume = (await log.call(`/logs/volume?minutes=5${query}`)).data as LogVolume
        expect(volume).to.include({ step: MINUTE, from: Math.floor(log.clock.now() / MINUTE - 4) * MINUTE })
        const ofMinute = (at: number, level?: string) =>
          rows.filter(({ timestamp, level: own }) => {
            const since = Date.parse(timestamp) - volume.from
            return Math.floor(since / MINUTE) === at && (level === undefined || own === level)
          }).length
        const figures = [0, 1, 2, 3, 4]
        expect(volume.total, query).to.deep.equal(figures.map((at) => ofMinute(at)))
        expect(volume.errors, query).to.deep.equal(figures.map((at) => ofMinute(at, 'error')))
        const stats = (await log.call(`/logs/stats?${query}`)).data as LogStats
        expect(stats.total, query).to.equal(rows.length)
        expect(stats.byLevel.error ?? 0, query).to.equal(rows.filter(({ level }) => level === 'error').length)
        expect(stats.oldestTimestamp, query).to.equal(rows.at(-1)?.timestamp ?? null)
      }
      for (const query of ['minutes=0', 'minutes=1441'])
        expect(await log.call(`/logs/volume?${query}`)).to.include({ status: 400, code: 'invalid_request' })
    })

    it('lists the lines of a time', async () => {
      const began = log.clock.now()
      for (let minute = 0; minute < 4; minute++) {
        log.say.info(`minute ${minute}`)
        await log.clock.advance(MINUTE)
      }
      const from = began + MINUTE
      expect(await log.find(`&from=${from}&to=${from + 2 * MINUTE}`)).to.deep.equal(['minute 2', 'minute 1'])
      expect(await log.find(`&from=${from + 2 * MINUTE}`)).to.deep.equal(['minute 3'])
    })

    it('removes all lines when it is cleared', async () => {
      for (let index = 0; index < 300; index++) log.say.info(`line ${index}`)
      const { total } = (await log.call('/logs/stats')).data as LogStats
      expect((await log.call('/logs', { method: 'DELETE' })).data).to.deep.equal({ deleted: total })
      expect((await log.call('/logs/stats')).data).to.deep.equal({ total: 0, byLevel: {}, oldestTimestamp: null })
      expect(await log.list()).to.deep.equal([])
    })

    it('cleans up by age, by number or by both, and rejects neither', async () => {
      await log.call('/logs', { method: 'DELETE' })
      for (let minute = 0; minute < 10; minute++) {
        log.say.info(`minute ${minute}`)
        await log.clock.advance(MINUTE)
      }
      const cleanup = (body: unknown) => log.call('/logs/cleanup', { method: 'POST', body })
      for (const body of [{}, { other: 1 }])
        expect(await cleanup(body)).to.deep.include({ status: 400, code: 'invalid_request' })
      for (const body of [{ days: -1 }, { maxRecords: 1.5 }, { days: 'x' }, null, []])
        expect(await cleanup(body), JSON.stringify(body)).to.include({ status: 400 })
      // A dry run returns the numbers of the real one and deletes nothing.
      const foreseen = async (body: object) => (await cleanup({ ...body, dryRun: true })).data
      expect(await cleanup({ dryRun: true })).to.deep.include({ status: 400, code: 'invalid_request' })
      expect(await foreseen({ days: 7.5 / DAY })).to.deep.equal({ deleted: 3, remaining: 7 })
      expect(await foreseen({ maxRecords: 5 })).to.deep.equal({ deleted: 5, remaining: 5 })
      expect(await foreseen({ maxRecords: 50 })).to.deep.equal({ deleted: 0, remaining: 10 })
      expect(await foreseen({ days: 3.5 / DAY, maxRecords: 2 })).to.deep.equal({ deleted: 8, remaining: 2 })
      expect(await foreseen({ maxRecords: 0 })).to.deep.equal({ deleted: 10, remaining: 0 })
      expect(await log.find()).to.have.length(10)
      expect((await cleanup({ days: 7.5 / DAY, dryRun: false })).data).to.deep.equal({ deleted: 3, remaining: 7 })
      expect((await cleanup({ maxRecords: 5 })).data).to.deep.equal({ deleted: 2, remaining: 5 })
      expect((await cleanup({ maxRecords: 5 })).data).to.deep.equal({ deleted: 0, remaining: 5 })
      expect((await cleanup({ days: 3.5 / DAY, maxRecords: 4 })).data).to.deep.equal({ deleted: 2, remaining: 3 })
      expect(await log.find()).to.deep.equal(['minute 9', 'minute 8', 'minute 7'])
      expect((await cleanup({ maxRecords: 0 })).data).to.deep.equal({ deleted: 3, remaining: 0 })
      expect((await cleanup({ days: 0 })).data).to.deep.equal({ deleted: 0, remaining: 0 })
    })

    it('contains lines from before the plugin started, once', async () => {
      const lines = (await log.list()).map(({ name, message }) => `${name}: ${message}`)
      expect(lines)
        .to.include('early: said while others started')
        .and.include('http-core: listening on ' + log.host.get(Http)?.origin)
      expect(lines.filter((line) => line.startsWith('early'))).to.have.length(1)
      await log.host.enable('logs', false)
      await log.host.enable('logs', true)
      expect((await log.list()).filter(({ name }) => name === 'early').length).to.be.at.most(1)
    })

    it('escapes line feeds and control characters', async () => {
      log.say.info('first\nE host the disk is full\r\nthird', { note: 'a\nb', 'key\n': 1 })
      log.say.info('erase \u007f\u0080\u009b2J\u009f')
      const [erase, first] = (await log.list('&name=speaker')) as [LogEntry, LogEntry]
      expect(first.message).to.equal('first\\u000aE host the disk is full\\u000d\\u000athird')
      expect(first.fields).to.deep.equal({ note: 'a\\u000ab', 'key\\u000a': 1 })
      expect(erase.message).to.equal('erase \\u007f\\u0080\\u009b2J\\u009f')
    })

    it('stores one line for any message', async () => {
      log.say.info('red \u001b[31m, back \r, bell \u0007, turned \u202e, next \u2028 line', {
        'a\u0000': '\u001b]0;title\u0007',
      })
      const cyclic: Record<string, unknown> = { big: 10n }
      cyclic.self = cyclic
      log.say.info('odd', cyclic)
      log.say.info('x'.repeat(100_000), { y: 'y'.repeat(100_000) })
      const [long, odd, coloured] = (await log.list('&name=speaker')) as [LogEntry, LogEntry, LogEntry]
      expect(coloured.message).to.equal(
        'red \\u001b[31m, back \\u000d, bell \\u0007, turned \\u202e, next \\u2028 line',
      )
      expect(coloured.fields).to.deep.equal({ 'a\\u0000': '\\u001b]0;title\\u0007' })
      expect(odd.message).to.equal('odd')
      expect(long.message.length).to.be.at.most(8_193)
      expect(JSON.stringify(long.fields).length).to.be.at.most(16_500)
    })
  })
}
