// `node --expose-gc worker.mjs <case> [n]`: one measurement of the kernel. Prints one JSON line.
const { createHost, definePlugin, hook, point, service } = await import('@mynah/kernel')
const imported = { ms: performance.now(), cpu: process.cpuUsage() }
const { readFileSync } = await import('node:fs')
const { churn, cost, heap, rate, report } = await import('../lib/measure.mjs')

const event = hook('bench.event')
const other = hook('bench.other')
const commands = point({ id: 'bench.commands', key: ({ name }) => name })
const middlewares = point({ id: 'bench.middlewares', key: ({ name }) => name })

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['n'],
  properties: { n: { type: 'integer' }, mode: { type: 'string', default: 'a' } },
}

/** Starts a host that must not log: a log line would distort the measurement. */
const quiet = (entries) =>
  createHost(entries, {
    log({ level, message }) {
      if (level !== 'debug') throw new Error(message)
    },
  }).start()

const cases = {
  /** Measures the start of the bare kernel, in a process of its own. */
  async boot() {
    const host = createHost([])
    const start_cpu_ms = await cost(() => host.start())
    const heap_mb = +(heap() / 2 ** 20).toFixed(2)
    await host.stop()
    const { user, system } = imported.cpu
    return { import_ms: +imported.ms.toFixed(1), cpu_ms: Math.round((user + system) / 1000 + start_cpu_ms), heap_mb }
  },

  async emit() {
    let hits = 0
    const listeners = Array.from({ length: 10 }, (_, index) =>
      definePlugin({
        name: `p${index}`,
        setup(ctx) {
          ctx.on(event, () => {
            hits++
          })
        },
      }),
    )
    const host = await quiet(listeners.map((plugin) => ({ plugin })))
    host.emit(event, 1)
    if (hits !== 10) throw new Error('not every listener was reached')
    return {
      listeners: 10,
      emit_per_s: await rate(
        () => {
          for (let i = 0; i < 1000; i++) host.emit(event, i)
        },
        { batch: 1000 },
      ),
    }
  },

  /** Loads and unloads a plugin with a command, a middleware and two hooks. */
  async churn(cycles = 2000) {
    const host = await quiet([])
    const plugin = definePlugin({
      name: 'subject',
      setup(ctx) {
        ctx.contribute(commands, { name: 'hello', run: () => 'hello' })
        ctx.contribute(middlewares, { name: 'pass', run: (_, next) => next() })
        ctx.on(event, () => {})
        ctx.on(other, () => {})
      },
    })
    const result = await churn(
      async () => {
        await host.add({ plugin })
        await host.remove('subject')
      },
      cycles,
      3000,
    )
    const residue = Object.values(host.residue()).reduce((sum, count) => sum + count)
    if (residue) throw new Error(`${residue} things are left`)
    return { ...result, residue }
  },

  async update() {
    let taken = 0
    const plugin = definePlugin({
      name: 'subject',
      config: { key: 'subject', schema },
      setup: () => ({
        update() {
          taken++
          return true
        },
      }),
    })
    const host = await quiet([{ plugin, config: { n: 0 } }])
    let n = 0
    const updates_per_s = await rate(
      async () => {
        for (let i = 0; i < 100; i++) await host.update('subject', { n: ++n })
      },
      { batch: 100 },
    )
    if (taken !== n) throw new Error(`${n - taken} updates restarted`)
    return { updates_per_s }
  },

  async restart() {
    let setups = 0
    const plugin = definePlugin({
      name: 'subject',
      config: { key: 'subject', schema },
      setup(ctx) {
        setups++
        ctx.on(event, () => {})
        ctx.onDispose('nothing', () => {})
      },
    })
    const host = await quiet([{ plugin, config: { n: 0 } }])
    let n = 0
    const restarts_per_s = await rate(
      async () => {
        for (let i = 0; i < 10; i++) await host.update('subject', { n: ++n })
      },
      { batch: 10 },
    )
    if (setups !== n + 1) throw new Error(`${setups} setups for ${n} restarts`)
    return { restarts_per_s }
  },

  /** Removes a provider and adds it again; every consumer stops and starts. */
  async flap(consumers = 100) {
    const Foo = service('bench.foo')
    let active = 0
    const provider = definePlugin({
      name: 'provider',
      provides: [Foo],
      setup(ctx) {
        ctx.provide(Foo, {})
      },
    })
    const entries = Array.from({ length: consumers }, (_, index) => ({
      plugin: definePlugin({
        name: `c${index}`,
        needs: { foo: Foo },
        setup(ctx) {
          active++
          ctx.onDispose('count', () => {
            active--
          })
        },
      }),
    }))
    const host = await quiet([{ plugin: provider }, ...entries])
    const flaps_per_s = await rate(async () => {
      await host.enable('provider', false)
      if (active !== 0) throw new Error('a consumer is still up')
      await host.enable('provider', true)
      await host.settled()
      if (active !== consumers) throw new Error('a consumer is not up')
    })
    return { consumers, flaps_per_s }
  },

  /** Calls a service through the context, as every plugin does. */
  async access() {
    const Foo = service('bench.foo')
    let ctx
    const provider = definePlugin({
      name: 'provider',
      provides: [Foo],
      setup(it) {
        it.provide(Foo, {
          n: 1,
          hit() {
            return this.n
          },
        })
      },
    })
    await quiet([
      { plugin: provider },
      {
        plugin: definePlugin({
          name: 'consumer',
          needs: { foo: Foo },
          setup(it) {
            ctx = it
          },
        }),
      },
    ])
    const native = {
      n: 1,
      hit() {
        return this.n
      },
    }
    let sum = 0
    const service_calls_per_s = await rate(
      () => {
        for (let i = 0; i < 100_000; i++) sum += ctx.foo.hit()
      },
      { batch: 100_000 },
    )
    const native_calls_per_s = await rate(
      () => {
        for (let i = 0; i < 100_000; i++) sum += native.hit()
      },
      { batch: 100_000 },
    )
    if (!sum) throw new Error('the service was not called')
    return { service_calls_per_s, native_calls_per_s }
  },
}

const [name, arg] = process.argv.slice(2)
if (!Object.hasOwn(cases, name))
  throw new Error(`no case is called ${name}; there are ${Object.keys(cases).join(', ')}`)
const { version } = JSON.parse(readFileSync(new URL('../../kernel/package.json', import.meta.url), 'utf8'))
report(name, {
  subject: `kernel@${version}`,
  node: process.version,
  ...(await cases[name](arg === undefined ? undefined : Number(arg))),
})
