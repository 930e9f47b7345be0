import { expect } from 'chai'
import { Type } from 'typebox'
import {
  toError,
  definePlugin,
  FatalError,
  hook,
  KernelError,
  ref,
  messageOf,
  NotReady,
  point,
  service,
  type AnyPlugin,
  type Context,
} from '../index.js'
import { flush, TestClock } from '../testing.js'
import { assertNoResidue, failureOf, running, states, viewOf } from '../test/support.js'

const CANNOT = 'threw a value that cannot be shown'
const boom = (): never => {
  throw new Error('hostile')
}
const throwing = new Proxy({}, new Proxy({}, { get: () => boom }))
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const withGetter = (key: string): Error => Object.defineProperty(new Error('fine'), key, { get: boom })
class Lying extends Error {
  override get message(): string {
    return boom()
  }
}

const HOSTILE: Record<string, () => unknown> = {
  'an object without a prototype': () => Object.create(null) as object,
  'a revoked proxy': revoked,
  'a proxy that throws at everything': () => throwing,
  'an object whose toString throws': () => ({ toString: boom }),
  'an object whose toString answers an object': () => ({ toString: () => ({}) }),
  'an error whose message throws': () => withGetter('message'),
  'an error whose class makes its message throw': () => new Lying(),
  'an error whose name throws': () => withGetter('name'),
  'an error whose code throws': () => withGetter('code'),
  'an error whose cause throws': () => withGetter('cause'),
  'an error whose stack throws': () => withGetter('stack'),
  'an error with a hostile cause': () => new Error('outer', { cause: throwing }),
  'an error that is its own cause': () => {
    const error: Error & { cause?: unknown } = new Error('round')
    error.cause = error
    return error
  },
  'an error of a hostile class': () => Object.setPrototypeOf(new Error('fine'), throwing as object) as Error,
  'a proxy of an error': () => new Proxy(new Error('hidden'), { get: boom }),
  'a function whose name throws': () => Object.defineProperty(() => undefined, 'message', { get: boom }),
  'a symbol': () => Symbol('s'),
  nothing: () => undefined,
}

/** Reads every property of an error that readers use. None may run foreign code. */
function read(error: Error): void {
  for (let at: unknown = error, depth = 0; at !== undefined; at = (at as Error).cause) {
    expect(at).to.be.instanceOf(Error)
    expect((at as Error).message).to.be.a('string')
    expect((at as Error).name).to.be.a('string')
    void [(at as Error).stack, (at as { code?: unknown }).code, `${String(at)}`]
    expect(++depth).to.be.below(20)
  }
}

describe('toError', () => {
  for (const [what, make] of Object.entries(HOSTILE)) {
    it(`converts ${what} into a readable error`, () => {
      read(toError(make()))
      expect(messageOf(make())).to.be.a('string')
      for (const error of [
        new KernelError('plugin/setup-failed', 'x', { cause: make() }),
        new NotReady('x', { cause: make() }),
      ])
        read(error)
    })
  }

  it('returns an ordinary error as it is, with its causes', () => {
    const cause = new TypeError('inner')
    const error = Object.assign(new RangeError('outer', { cause }), { code: 'E_RANGE', extra: { of: 'its own' } })
    expect(toError(error)).to.equal(error)
    expect(toError(error).cause).to.equal(cause)
  })

  it('keeps primitive properties in a copy', () => {
    const error = toError(Object.assign(withGetter('cause'), { code: 'ENOENT', errno: -2, handle: {} }))
    expect(error).to.include({ message: 'fine', code: 'ENOENT', errno: -2 }).and.not.to.have.property('handle')
    const aborted = toError(new DOMException('was aborted', 'AbortError'))
    expect([aborted.name, aborted.message]).to.deep.equal(['AbortError', 'was aborted'])
    expect(toError({ message: 'of no class', code: 7 })).to.include({ message: 'of no class', code: 7 })
    expect([messageOf(Object.create(null)), messageOf(revoked()), messageOf('text'), messageOf(5)]).to.deep.equal([
      CANNOT,
      CANNOT,
      'text',
      '5',
    ])
  })
})

const said = hook<null>('said')
const asked = hook<null, string>('asked')
const things = point<string>({ id: 'things', key: (text) => text })
const Store = service<object>('store')
const Section = Type.Object({ n: Type.Integer({ default: 0 }) })
const throws = (make: () => unknown) => () => {
  throw make()
}
const rejects = (make: () => unknown) => () =>
  ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(make()) }) as unknown as Promise<void>
const untouchable = (make: () => unknown) => () =>
  ({
    get then() {
      throw make()
    },
  }) as unknown as Promise<void>

describe('a plugin that throws a hostile value', () => {
  afterEach(assertNoResidue)
  const FORMS = { 'at once': throws, later: rejects, 'when its answer is looked at': untouchable }

  for (const [what, make] of Object.entries(HOSTILE)) {
    for (const [when, form] of Object.entries(FORMS)) {
      const bad = form(make)

      it(`does not affect the listeners, timers and disposers of others (${what}, ${when})`, async () => {
        const clock = new TestClock()
        const seen: string[] = []
        const hostile = definePlugin({
          name: 'hostile',
          needs: { store: ref(Store) },
          setup(ctx) {
            ctx.onDispose('first', () => void seen.push('first undone'))
            ctx.on(said, bad)
            ctx.on(asked, bad as unknown as () => string)
            ctx.read(things).watch(bad)
            ctx.store.onChange(bad)
            ctx.clock.setTimeout(bad, 10)
            ctx.onDispose('bad', bad)
          },
        })
        let caller!: Context
        const fine = definePlugin({
          name: 'fine',
          needs: { store: ref(Store) },
          setup(ctx) {
            caller = ctx as unknown as Context
            ctx.on(said, () => void seen.push('said'))
            ctx.on(asked, () => 'answer')
            ctx.read(things).watch(() => void seen.push('watched'))
            ctx.store.onChange(() => void seen.push('changed'))
          },
        })
        const { host, log } = await running([hostile, fine], { clock })
        await host.add({
          plugin: definePlugin({
            name: 'store',
            provides: [Store],
            setup(ctx) {
              ctx.provide(Store, {})
            },
          }),
        })
        host.emit(said, null)
        await caller.parallel(said as never, null)
        expect(await caller.bail(asked, null)).to.equal('answer')
        expect((await failureOf(() => caller.waterfall(asked, null, () => 'last'))).code).to.equal(
          'hook/listener-failed',
        )
        caller.contribute(things, 'a')()
        await clock.advance(10)
        await host.enable('hostile', false)
        expect(seen).to.deep.equal(['changed', 'said', 'said', 'watched', 'watched', 'first undone'])
        expect(states(host)).to.deep.equal({ hostile: 'disabled', fine: 'active', store: 'active' })
        const codes = viewOf(host, 'hostile').errors.map(({ code }) => code ?? 'plain')
        expect(codes).to.include.members(['hook/listener-failed', 'plugin/failed-later', 'scope/dispose-failed'])
        for (const { fields } of log) expect(() => JSON.stringify(fields)).not.to.throw()
      })

      it(`fails with its setup, and restarts after its update (${what}, ${when})`, async () => {
        const failing: AnyPlugin = definePlugin({ name: 'failing', setup: bad as unknown as () => undefined })
        const updating = definePlugin({
          name: 'updating',
          config: { key: 'u', schema: Section },
          setup: () => ({ update: bad as unknown as () => boolean }),
        })
        const { host } = await running([failing, updating])
        expect(states(host)).to.deep.equal({ failing: 'failed', updating: 'active' })
        read(viewOf(host, 'failing').error as Error)
        expect(await host.update('updating', { n: 1 })).to.equal('restarted')
        expect(host.blame('updating', make())).to.equal(true)
        expect(host.report('updating', make())).to.equal(true)
        expect(states(host)['updating']).to.equal('degraded')
        await host.remove('failing')
        await flush()
      })
    }
  }
})

describe('toError and messageOf', () => {
  it('return an error and a message for anything thrown', () => {
    const error = new Error('boom')
    expect(toError(error)).to.equal(error)
    expect(toError('text')).to.include({ message: 'text' })
    expect(messageOf(new RangeError())).to.equal('RangeError')
    expect(new FatalError('port taken', { exitCode: 3, hint: 'free it', cause: error })).to.include({
      exitCode: 3,
      hint: 'free it',
      cause: error,
    })
  })
})
