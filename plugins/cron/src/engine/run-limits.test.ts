import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { jobAction, jobActions, jobHandlers, memoryTasks } from '../api.js'
import { handlerJob, hangingHandler, job, lastRun, ownerChat, sentTo, started, untilState } from '../test/jobs.js'
import { eachTest, HOUR, MINUTE, until } from '../test/support.js'

for (const database of [true, false]) {
  describe(`a run that does not end (${database ? 'database' : 'memory'})`, () => {
    const tests = eachTest()

    it('holds up no run of another kind', async () => {
      const hanging = [1, 2, 3, 4, 5].map((n) => hangingHandler(`hang.${n}`))
      const rig = await tests.start({
        database,
        hangs: true,
        handlers: [...hanging.map(({ handler }) => handler), { name: 'quick', run: () => 'done' }],
      })
      for (const { handler } of hanging) await started(rig, handlerJob(handler.name))
      await until(() => hanging.every(({ signals }) => signals.length === 1))
      await untilState(rig, await started(rig, handlerJob('quick')), 'ok')
      await untilState(rig, await started(rig, job()), 'ok')
    })

    it('fails after cron.runTimeout, loses its place, and notifies the owner', async () => {
      const hanging = hangingHandler('hang')
      let runs = 0
      const rig = await tests.start({
        database,
        hangs: true,
        chat: true,
        config: { concurrency: 1, runTimeout: 90 },
        handlers: [
          {
            name: 'once',
            run: (args, call) => (runs++ === 0 ? hanging.handler.run(args, call) : 'done'),
          },
        ],
      })
      const first = await started(rig, handlerJob('once', { label: 'Report' }))
      const second = await started(rig, handlerJob('once'))
      await until(() => hanging.signals.length === 1)
      await rig.clock.advance(89_999)
      expect([hanging.signals[0]?.aborted, runs]).to.deep.equal([false, 1])
      await rig.clock.advance(1)
      expect(await untilState(rig, first, 'error')).to.include({ error: 'it did not end within 90 s' })
      expect(hanging.signals[0]?.aborted).to.equal(true)
      await untilState(rig, second, 'ok')
      await until(() => rig.sent.length === 1)
      expect(sentTo(rig, 'owner')).to.deep.equal(['The task "Report" did not end within 90 s and was stopped.'])
      expect(rig.jobs.get(first)).to.deep.include({ failures: 1 })
    })

    it('fails after an hour by default', async () => {
      const { handler, signals } = hangingHandler('hang')
      const rig = await tests.start({ database, hangs: true, handlers: [handler] })
      const id = await started(rig, handlerJob('hang'))
      await until(() => signals.length === 1)
      await rig.clock.advance(HOUR)
      expect(await untilState(rig, id, 'error')).to.include({ error: 'it did not end within 1 h' })
    })

    it('has the limit that its handler names, and none where that is 0', async () => {
      const short = hangingHandler('short', { timeoutMs: 1_000 })
      const endless = hangingHandler('endless', { timeoutMs: 0 })
      const rig = await tests.start({
        database,
        hangs: true,
        config: { runTimeout: 60 },
        handlers: [short.handler, endless.handler],
      })
      const ids = [await started(rig, handlerJob('short')), await started(rig, handlerJob('endless'))]
      await until(() => short.signals.length === 1 && endless.signals.length === 1)
      await rig.clock.advance(1_000)
      await untilState(rig, ids[0] as string, 'error')
      await rig.clock.advance(48 * HOUR)
      expect((await lastRun(rig, ids[1] as string))?.state).to.equal('running')
    })

    it('may wait for a person for longer than its limit', async () => {
      const signals: AbortSignal[] = []
      let answer = (): void => {}
      const rig = await tests.start({
        database,
        hangs: true,
        config: { runTimeout: 60 },
        agent: async (_, { signal, setWaiting }) => {
          signals.push(signal)
          setWaiting(true)
          await new Promise<void>((resolve) => {
            answer = resolve
          })
          setWaiting(false)
          return new Promise<string>(() => {})
        },
      })
      const id = await started(rig, job())
      await until(() => signals.length === 1)
      await rig.clock.advance(10 * HOUR)
      expect(signals[0]?.aborted).to.equal(false)
      answer()
      await rig.clock.advance(59_000)
      // Work that goes on is no wait.
      rig.calls[0]?.setWaiting(false)
      expect(signals[0]?.aborted).to.equal(false)
      await rig.clock.advance(1_000)
      await untilState(rig, id, 'error')
    })

    it('ends when its job is paused, which skips the queued runs', async () => {
      const { handler, signals } = hangingHandler('hang')
      const rig = await tests.start({ database, hangs: true, chat: true, handlers: [handler] })
      const id = await started(rig, handlerJob('hang', { notify: ownerChat }))
      await until(() => signals.length === 1)
      for (let n = 0; n < 3; n++) await rig.jobs.run(id)
      await rig.rpc('cron:pause', { id })
      await until(async () => (await rig.runs(id)).every(({ finishedAt }) => finishedAt !== undefined))
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true])
      expect((await rig.runs(id)).map(({ state, error }) => `${state}: ${error}`)).to.deep.equal([
        ...Array.from({ length: 3 }, () => 'skipped: the job was paused before it ran'),
        'interrupted: the job was paused while it ran',
      ])
      // A person has paused it and needs no message.
      expect(rig.sent).to.deep.equal([])
      expect(rig.jobs.get(id)).to.deep.include({ failures: 0, enabled: false })
    })

    it('ends when its job is removed', async () => {
      const { handler, signals } = hangingHandler('hang')
      const rig = await tests.start({ database, hangs: true, handlers: [handler] })
      const id = await started(rig, handlerJob('hang'))
      await until(() => signals.length === 1)
      await rig.jobs.remove(id)
      expect(signals[0]?.aborted).to.equal(true)
      expect(await untilState(rig, id, 'interrupted')).to.include({ error: 'the job was removed while it ran' })
    })

    it('ends when the plugin of its handler stops, and notifies the owner', async () => {
      const { handler, signals } = hangingHandler('hang')
      const plugin = definePlugin({ name: 'worker', setup: (ctx) => ctx.contribute(jobHandlers, handler) as never })
      const rig = await tests.start({ database, hangs: true, chat: true, plugins: [plugin as unknown as AnyPlugin] })
      const id = await started(rig, handlerJob('hang', { label: 'Report' }))
      await until(() => signals.length === 1)
      await rig.host.enable('worker', false)
      await rig.host.settled()
      expect(signals[0]?.aborted).to.equal(true)
      expect(await untilState(rig, id, 'interrupted')).to.include({
        error: 'the plugin of its action stopped while it ran',
      })
      await until(() => rig.sent.length === 1)
      expect(sentTo(rig, 'owner')).to.deep.equal([
        'The task "Report" was interrupted: the plugin of its action stopped. It was not started again.',
      ])
    })

    it('is tried again when its kind of actions suspends it while its plugin stops', async () => {
      let isSuspended = false
      const plugin = definePlugin({
        name: 'worker',
        setup(ctx) {
          ctx.contribute(
            jobActions,
            jobAction<'agent'>({
              kind: 'agent',
              async run(_, { signal }) {
                await once(ctx.signal, 'abort')
                // The action ends after it was withdrawn.
                await setTimeout(20)
                isSuspended = !signal.aborted
                throw new WireError('upstream_unavailable', 'the agent stops')
              },
            }),
          )
        },
      })
      const rig = await tests.start({ database, agent: false, plugins: [plugin as unknown as AnyPlugin] })
      const id = await started(rig, job())
      await untilState(rig, id, 'running')
      await rig.host.enable('worker', false)
      expect(await untilState(rig, id, 'queued')).to.include({ error: 'the agent stops', attempt: 2 })
      expect(isSuspended).to.equal(true)
    })

    it('does not keep its plugin from stopping', async () => {
      const { handler, signals } = hangingHandler('hang')
      const rig = await tests.start({ database, hangs: true, handlers: [handler] })
      await started(rig, handlerJob('hang'))
      await until(() => signals.length === 1)
      await rig.host.enable('cron', false)
      expect(signals[0]?.aborted).to.equal(true)
      expect(rig.logged.filter((line) => line.includes('was not undone'))).to.deep.equal([])
    })
  })
}

describe('a memory task that does not end', () => {
  const tests = eachTest()

  it('fails after cron.runTimeout, and runs at its next slot', async () => {
    let runs = 0
    let signal: AbortSignal | undefined
    const rig = await tests.start({
      hangs: true,
      config: { runTimeout: 60 },
      plugins: [
        definePlugin({
          name: 'worker',
          setup(ctx) {
            ctx.contribute(memoryTasks, {
              id: 'worker.look',
              expression: '*/10 * * * *',
              run: (given) => {
                signal = given
                return runs++ === 0 ? new Promise(() => {}) : undefined
              },
            })
          },
        }) as unknown as AnyPlugin,
      ],
    })
    await rig.clock.advance(10 * MINUTE)
    await until(() => runs === 1)
    await rig.clock.advance(MINUTE)
    expect(signal?.aborted).to.equal(true)
    await until(() =>
      rig.logged.some((line) => line.includes('the task "worker.look" failed: it did not end within 1 min')),
    )
    await rig.clock.advance(9 * MINUTE)
    await until(() => runs === 2)
  })
})
