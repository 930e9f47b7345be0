import { expect } from 'chai'
import fc from 'fast-check'
import { Type } from 'typebox'
import {
  changed,
  createHost,
  definePlugin,
  hook,
  ifEnabled,
  ref,
  point,
  configRolledBack,
  service,
  type AnyPlugin,
  type Host,
  type Need,
  type PluginEntry,
  type Service,
} from '../index.js'
import { flush } from '../testing.js'
import { running } from '../test/support.js'

const SERVICES = Array.from({ length: 4 }, (_, index) => service<{ by: string; size: number }>(`s${index}`))
const things = point<string>({ id: 'things', key: (text) => text })
const shout = hook<string[]>('shout')
const Schema = Type.Object(
  { size: Type.Integer({ default: 0 }), broken: Type.Boolean({ default: false }) },
  { additionalProperties: false },
)
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

interface Shape {
  readonly provides: readonly number[]
  readonly needs: readonly { readonly kind: 'service' | 'if-enabled' | 'ref'; readonly service: number }[]
  /** Takes a change of size in place. */
  readonly inPlace: boolean
  readonly async: boolean
}

type Step =
  | { readonly do: 'enable' | 'disable' | 'remove' | 'add'; readonly plugin: number }
  | { readonly do: 'update'; readonly plugin: number; readonly size: number }
  | { readonly do: 'break' | 'mend'; readonly plugin: number }
  | {
      readonly do: 'configure'
      readonly order: readonly number[]
      readonly changes: readonly {
        readonly plugin: number
        readonly size: number
        readonly broken: boolean
        readonly enabled: boolean
      }[]
    }
/** The wait between two steps: none, a turn of the event loop, or until all plugins are settled. */
type Then = 'at once' | 'a turn' | 'settled'

interface Section {
  size: number
  broken: boolean
}
interface Wanted extends Section {
  enabled: boolean
}

/** Histories of each kind: more of them with `MYNAH_HISTORIES`. */
const HISTORIES = Number(process.env['MYNAH_HISTORIES'] ?? 2_000)

/** The sections with which each plugin of the host under test was last set up, and last ran. */
const begun = new Map<string, Section>()
const ran = new Map<string, Section>()

const NEED_OF = { service: (token: Service<unknown>): Need => token, ref, 'if-enabled': ifEnabled }

/** Returns a plugin that contributes all values that it receives, so that a stale one is visible. */
function build(name: string, shape: Shape): AnyPlugin {
  const needs: Record<string, Need> = {}
  for (const { kind, service: index } of shape.needs) {
    const token = SERVICES[index] as Service<unknown>
    needs[`${kind}${index}`] = NEED_OF[kind](token)
  }
  const provides = Array.from(new Set(shape.provides), (index) => SERVICES[index] as (typeof SERVICES)[number])
  return definePlugin({
    name,
    needs,
    provides,
    config: { key: name, schema: Schema },
    async setup(ctx) {
      begun.set(name, ctx.config)
      if (shape.async) await flush()
      if (ctx.config.broken) throw new Error(`${name} is broken`)
      const given = ctx as unknown as Record<string, { by: string; size: number; current?: { by: string } } | undefined>
      const shown = shape.needs
        .filter(({ kind }) => kind !== 'ref')
        .map(({ kind, service: index }) => {
          const value = given[`${kind}${index}`]
          return value ? `${index}:${value.by}` : `${index}:none`
        })
      ctx.contribute(things, `${name}(${shown.join()})`)
      ctx.on(shout, (heard) => void heard.push(name))
      const implementation = { by: name, size: ctx.config.size }
      let size = ctx.config.size
      let undo = ctx.contribute(things, `${name} size ${size}`)
      for (const token of provides) ctx.provide(token, implementation)
      ctx.onDispose('nothing', () => flush())
      return {
        update(next, previous) {
          if (!shape.inPlace || next.broken || previous.broken) return false
          undo()
          size = implementation.size = next.size
          begun.set(name, next)
          ran.set(name, next)
          undo = ctx.contribute(things, `${name} size ${size}`)
          return true
        },
      }
    },
  })
}

const shapeOf: fc.Arbitrary<Shape> = fc.record({
  provides: fc.array(fc.nat(SERVICES.length - 1), { maxLength: 2 }),
  needs: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom('service' as const, 'if-enabled' as const, 'ref' as const),
      service: fc.nat(SERVICES.length - 1),
    }),
    {
      maxLength: 3,
      selector: ({ kind, service: index }) => `${kind}${index}`,
    },
  ),
  inPlace: fc.boolean(),
  async: fc.boolean(),
})

const plugin = fc.nat(NAMES.length - 1)
const stepOf: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('enable' as const, 'disable' as const, 'remove' as const, 'add' as const), plugin }),
  fc.record({ do: fc.constant('update' as const), plugin, size: fc.nat(2) }),
  fc.record({ do: fc.constantFrom('break' as const, 'mend' as const), plugin }),
  fc.record({
    do: fc.constant('configure' as const),
    order: fc.shuffledSubarray(NAMES.map((_, index) => index)),
    changes: fc.array(fc.record({ plugin, size: fc.nat(2), broken: fc.boolean(), enabled: fc.boolean() }), {
      maxLength: 3,
    }),
  }),
)
const thenOf: fc.Arbitrary<Then> = fc.constantFrom('at once', 'at once', 'a turn', 'settled')

/** All that a fresh start must agree with. Not compared: times, remembered errors, and what survives by design. */
function pictureOf(host: Host): unknown {
  const heard: string[] = []
  host.emit(shout, heard)
  return {
    plugins: host.inspect().map(({ name, state, waitingFor, contributions, effects, error, reasons }) => ({
      name,
      state,
      waitingFor,
      effects: [...effects].sort(),
      error: error?.message,
      reasons,
      contributions: contributions.map(({ key }) => key).sort(),
    })),
    why: host.inspect().map(({ name }) => host.why(name)),
    services: SERVICES.map((token) => host.get(token)),
    residue: host.residue(),
    heard,
  }
}

class History {
  readonly #plugins: readonly AnyPlugin[]
  /** The configuration as it should be, in order. */
  readonly #wanted = new Map<string, Wanted>()
  readonly #host: Host
  readonly edits: Promise<unknown>[] = []
  readonly end: () => void

  constructor(host: Host, plugins: readonly AnyPlugin[]) {
    this.#host = host
    this.#plugins = plugins
    for (const { name } of plugins) this.#wanted.set(name, { size: 0, broken: false, enabled: true })
    for (const [name, section] of begun)
      if (host.inspect().find((view) => view.name === name)?.state === 'active') ran.set(name, section)
    const watching = host.on(changed, ({ plugin: name }) => {
      const section = begun.get(name)
      if (section && host.inspect().find((view) => view.name === name)?.state === 'active') ran.set(name, section)
    })
    // It ran and does not start with what it was given: what it ran with is its section again.
    const restoring = host.on(configRolledBack, ({ plugin: name }) => {
      const wanted = this.#wanted.get(name)
      if (wanted) Object.assign(wanted, ran.get(name))
    })
    this.end = () => {
      watching()
      restoring()
    }
  }

  entries(): PluginEntry[] {
    return Array.from(this.#wanted, ([name, { enabled, size, broken }]) => ({
      plugin: this.#plugins[NAMES.indexOf(name)] as AnyPlugin,
      enabled,
      config: { size, broken },
    }))
  }

  /** Makes the edit; what it answers is collected. */
  take(step: Step): void {
    const edit = this.#edit(step)
    if (edit) this.edits.push(edit)
  }

  #edit(step: Step): Promise<unknown> | undefined {
    if (step.do === 'configure') return this.#configure(step)
    const name = NAMES[step.plugin] as string
    const wanted = this.#wanted.get(name)
    if (step.do === 'add' && !wanted) {
      this.#wanted.set(name, { size: 1, broken: false, enabled: true })
      return this.#host.add({ plugin: this.#plugins[step.plugin] as AnyPlugin, config: { size: 1 } })
    }
    if (!wanted) return undefined
    switch (step.do) {
      case 'enable':
      case 'disable':
        wanted.enabled = step.do === 'enable'
        return this.#host.enable(name, wanted.enabled)
      case 'remove':
        this.#wanted.delete(name)
        return this.#host.remove(name)
      case 'update':
        return this.#update(name, Object.assign(wanted, { size: step.size }))
      case 'break':
        return this.#update(name, Object.assign(wanted, { broken: true }))
      case 'mend':
        return this.#update(name, Object.assign(wanted, { broken: false }))
      default:
        return undefined
    }
  }

  #update(name: string, { size, broken }: Wanted): Promise<unknown> {
    return this.#host.update(name, { size, broken })
  }

  #configure({ order, changes }: Extract<Step, { do: 'configure' }>): Promise<unknown> {
    const kept = order.map(
      (index) =>
        [
          NAMES[index] as string,
          this.#wanted.get(NAMES[index] as string) ?? { size: 2, broken: false, enabled: true },
        ] as const,
    )
    this.#wanted.clear()
    for (const [name, wanted] of kept) this.#wanted.set(name, wanted)
    for (const { plugin: index, ...change } of changes)
      Object.assign(this.#wanted.get(NAMES[index] as string) ?? {}, change)
    return this.#host.configure(this.entries())
  }
}

async function assertLikeFresh(shapes: readonly Shape[], steps: readonly (readonly [Step, Then])[]): Promise<void> {
  begun.clear()
  ran.clear()
  const plugins = shapes.map((shape, index) => build(NAMES[index] as string, shape))
  const { host } = await running(plugins)
  const history = new History(host, plugins)
  for (const [step, then] of steps) {
    history.take(step)
    if (then === 'a turn') await flush()
    if (then === 'settled') await Promise.all([...history.edits, host.settled()])
  }
  await Promise.all(history.edits)
  await host.settled()
  history.end()
  const entries = history.entries()
  const fresh = createHost(entries)
  await fresh.start()
  try {
    const different = differences(pictureOf(host), pictureOf(fresh))
    expect(different, different.join('\n')).to.have.length(0)
  } finally {
    await fresh.stop()
    await host.stop()
  }
  expect({ ...host.residue(), kept: 0 }).to.deep.equal({
    effects: 0,
    listeners: 0,
    contributions: 0,
    watchers: 0,
    services: 0,
    references: 0,
    kept: 0,
  })
}

/** Returns the lines in which two pictures differ. */
function differences(a: unknown, b: unknown): string[] {
  const [ours, theirs] = [a, b].map((value) => JSON.stringify(value, null, 1).split('\n')) as [string[], string[]]
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => index)
    .filter((index) => ours[index] !== theirs[index])
    .map((index) => `${ours[index]?.trim()} | fresh: ${theirs[index]?.trim()}`)
}

const shapes = fc.array(shapeOf, { minLength: NAMES.length, maxLength: NAMES.length })
const one = (steps: readonly Step[], then: Then): (readonly [Step, Then])[] =>
  steps.map((step) => [step, then] as const)

describe('any history of a host', function () {
  this.timeout(Math.max(60_000, HISTORIES * 100))

  it('does not start a plugin before another one has stopped', async () => {
    const plain: Shape = { provides: [], needs: [], inPlace: false, async: false }
    const given: Shape[] = [
      { ...plain, provides: [3] },
      plain,
      plain,
      { ...plain, provides: [1], needs: [{ kind: 'service', service: 3 }] },
      { ...plain, provides: [3] },
      { ...plain, provides: [1] },
    ]
    await assertLikeFresh(
      given,
      one(
        [
          { do: 'configure', order: [5, 4, 0], changes: [] },
          { do: 'configure', order: [3, 5, 0, 4], changes: [] },
        ],
        'a turn',
      ),
    )
  })

  it('ends like a fresh start with the final configuration, each edit made when the last has settled', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.array(stepOf, { maxLength: 14 }), (given, steps) =>
        assertLikeFresh(given, one(steps, 'settled')),
      ),
      { numRuns: HISTORIES / 4 },
    )
  })

  it('ends like one also when edits are concurrent', async () => {
    await fc.assert(fc.asyncProperty(shapes, fc.array(fc.tuple(stepOf, thenOf), { maxLength: 14 }), assertLikeFresh), {
      numRuns: (HISTORIES * 3) / 4,
    })
  })
})
