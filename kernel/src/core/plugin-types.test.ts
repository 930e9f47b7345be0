import { expect } from 'chai'
import { Type } from 'typebox'
import {
  createHost,
  definePlugin,
  hook,
  ifEnabled,
  ref,
  point,
  service,
  type AnyPlugin,
  type ConfigOf,
  type PluginEntry,
  type Ref,
  type Resolved,
} from '../index.js'

const Store = service<{ read(key: string): string }>('store')
const asked = hook<{ question: string }, number>('asked')
const told = hook<string>('told')
const names = point<{ id: string }>({ id: 'names', key: ({ id }) => id })

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(): T => true as T

describe('types of definePlugin', () => {
  it('give each form of need its own value', () => {
    holds<Same<Resolved<typeof Store>, { read(key: string): string }>>()
    const [ifThere, comesAndGoes] = [ifEnabled(Store), ref(Store)]
    holds<Same<Resolved<typeof ifThere>, { read(key: string): string } | undefined>>()
    holds<Same<Resolved<typeof comesAndGoes>, Ref<{ read(key: string): string }>>>()
    const plugin = definePlugin({
      name: 'p',
      needs: { store: Store, maybe: ifEnabled(Store), later: ref(Store) },
      setup(ctx) {
        const text: string = ctx.store.read('k')
        // @ts-expect-error it may be undefined
        ctx.maybe.read('k')
        // @ts-expect-error it is a reference
        ctx.later.read('k')
        // @ts-expect-error it may be undefined at this moment
        ctx.later.current.read(text)
        // @ts-expect-error it is not needed
        void ctx.other
        // @ts-expect-error the context cannot be changed
        ctx.name = 'q'
      },
    })
    const entry: PluginEntry = { plugin }
    expect(createHost([entry]).inspect()).to.deep.equal([])
  })

  it('give the configuration the type of its schema', () => {
    const claim = { key: 'p', schema: Type.Object({ port: Type.Integer(), tls: Type.Optional(Type.Boolean()) }) }
    holds<Same<ConfigOf<typeof claim>, { port: number; tls?: boolean }>>()
    holds<Same<ConfigOf<undefined>, undefined>>()
    definePlugin({
      name: 'p',
      config: claim,
      setup(ctx) {
        const port: number = ctx.config.port
        // @ts-expect-error no such key
        void ctx.config.host
        return { update: (next, previous) => next.port === previous.port + port }
      },
    })
    definePlugin({
      name: 'q',
      config: { keys: { 'a.b': Type.String(), c: Type.Integer() } },
      setup(ctx) {
        const both: [string, number] = [ctx.config['a.b'], ctx.config.c]
        void both
      },
    })
  })

  it('give the check of a configuration the type of its schema', () => {
    definePlugin({
      name: 'p',
      config: {
        key: 'p',
        schema: Type.Object({ least: Type.Integer(), most: Type.Integer() }),
        check(config) {
          const [least, most]: [number, number] = [config.least, config.most]
          // @ts-expect-error no such key
          void config.middle
          return least > most ? [{ path: 'p.most', message: 'is too little', fatal: true }] : []
        },
      },
      setup(ctx) {
        const least: number = ctx.config.least
        void least
      },
    })
    definePlugin({
      name: 'q',
      config: {
        keys: { 'a.b': Type.String(), c: Type.Integer() },
        check: (config) => {
          const both: [string, number] = [config['a.b'], config.c]
          // @ts-expect-error no such path
          void config.d
          return both.length ? [] : [{ path: 'c', message: 'never' }]
        },
      },
      setup(ctx) {
        const both: [string, number] = [ctx.config['a.b'], ctx.config.c]
        return { update: (next, previous) => next.c === previous.c && both.length > 0 }
      },
    })
    // @ts-expect-error a schema needs the path that it is of
    definePlugin({ name: 'r', config: { schema: Type.Integer() } })
  })

  it('are the same where a list or a parameter asks for any plugin', () => {
    const list: AnyPlugin[] = [
      definePlugin({
        name: 'p',
        setup(ctx) {
          const none: undefined = ctx.config
          void none
        },
      }),
      definePlugin({
        name: 'q',
        config: { key: 'q', schema: Type.Integer() },
        setup(ctx) {
          const n: number = ctx.config
          void n
        },
      }),
      definePlugin({
        name: 'r',
        config: { keys: { r: Type.Integer() } },
        setup(ctx) {
          const n: number = ctx.config.r
          void n
        },
      }),
    ]
    expect(list).to.have.length(3)
  })

  it('check what is provided, contributed, listened to and emitted', () => {
    definePlugin({
      name: 'p',
      provides: [Store],
      setup(ctx) {
        // @ts-expect-error not an implementation of the service
        const provide = () => ctx.provide(Store, { write() {} })
        // @ts-expect-error not a value of the point
        const contribute = () => ctx.contribute(names, { name: 'x' })
        // @ts-expect-error the payload is a string
        const emit = () => ctx.emit(told, 1)
        // @ts-expect-error the answer is a number
        ctx.on(asked, () => 'no')
        ctx.on(asked, async ({ question }, next) => question.length + (await next({ question })))
        const answer: Promise<number | undefined> = ctx.bail(asked, { question: '?' })
        const ids: string[] = ctx
          .read(names)
          .all()
          .map(({ value }) => value.id)
        return void [provide, contribute, emit, answer, ids]
      },
    })
    expect(() =>
      definePlugin({
        name: 'p',
        // @ts-expect-error a need is a service, ifEnabled or late
        needs: { store: 'store' },
      }),
    ).to.throw('the need "store" must be a service, ifEnabled(service) or ref(service)')
  })
})
