import { expect } from 'chai'
import { inject, injectable, single } from './di.js'
import { definePlugin, ifEnabled, ref, service, type AnyPlugin, type Context, type Needs, type Ref } from './index.js'
import { assertNoResidue, failureOf, running, viewOf } from './test/support.js'

const Store = service<{ name: string }>('store')
const Mail = service<{ name: string }>('mail')

@single()
class Clock {
  disposed = false
  dispose(): void {
    this.disposed = true
  }
}

@injectable()
class Table {
  constructor(
    @inject(Store) readonly store: { name: string },
    @inject(Clock) readonly clock: Clock,
  ) {}
}

@injectable()
class Service {
  constructor(
    @inject(Table) readonly table: Table,
    @inject(Clock) readonly clock: Clock,
    @inject(Mail) readonly mail: Ref<object> | undefined,
  ) {}
}

@injectable()
class Unmarked {
  constructor(
    @inject(Store) readonly store: object,
    readonly forgotten: string,
  ) {}
}

@injectable()
class Outer {
  constructor(@inject(Unmarked) readonly inner: Unmarked) {}
}

@injectable()
class SpecialTable extends Table {
  readonly special = true
}

@injectable()
class OwnTable extends Table {
  constructor(@inject(Mail) readonly mail: object) {
    super({ name: 'own' }, new Clock())
  }
}

@single()
class DeepTable extends SpecialTable {}

class ForgottenTable extends Table {}

class Undecorated {
  constructor(@inject(Store) readonly store: object) {}
}

const store = definePlugin({
  name: 'store',
  provides: [Store],
  setup(ctx) {
    ctx.provide(Store, { name: 'sql' })
  },
})

describe('Context.resolve', () => {
  let ctx: Context
  const maker = (needs: Needs): AnyPlugin =>
    definePlugin({
      name: 'maker',
      needs,
      setup(it) {
        ctx = it as Context
      },
    })
  afterEach(assertNoResidue)

  it('injects services, references and other classes, and single classes once an activation', async () => {
    const { host } = await running([store, maker({ store: Store, mail: ref(Mail) })])
    const made = ctx.resolve(Service)
    expect(made.table.store.name).to.equal('sql')
    expect(made.clock).to.equal(made.table.clock)
    expect(made.mail).to.have.property('onChange')
    expect(ctx.resolve(Service)).not.to.equal(made)
    expect(ctx.resolve(Service).clock).to.equal(made.clock)
    await host.enable('maker', false)
    expect(made.clock.disposed).to.equal(true)
    await host.enable('maker', true)
    expect(ctx.resolve(Clock)).not.to.equal(made.clock)
  })

  it('injects undefined for an absent ifEnabled need', async () => {
    await running([store, maker({ store: Store, mail: ifEnabled(Mail) })])
    expect(ctx.resolve(Service).mail).to.equal(undefined)
  })

  it('injects the parameters of a base class, unless the class has its own constructor', async () => {
    const mail = definePlugin({
      name: 'mail',
      provides: [Mail],
      setup(it) {
        it.provide(Mail, { name: 'smtp' })
      },
    })
    await running([store, mail, maker({ store: Store, mail: Mail })])
    expect(ctx.resolve(SpecialTable)).to.deep.include({ special: true, store: { name: 'sql' } })
    expect(ctx.resolve(SpecialTable).clock).to.equal(ctx.resolve(Table).clock)
    expect(ctx.resolve(OwnTable)).to.deep.include({ mail: { name: 'smtp' }, store: { name: 'own' } })
    expect(ctx.resolve(DeepTable))
      .to.equal(ctx.resolve(DeepTable))
      .and.to.deep.include({ store: { name: 'sql' } })
    expect(await failureOf(() => ctx.resolve(ForgottenTable))).to.include({
      code: 'di/missing-token',
      message: 'ForgottenTable is not marked with @injectable()',
    })
  })

  it('shares no instance between plugins', async () => {
    let other: Context | undefined
    await running([
      store,
      maker({ store: Store, mail: ref(Mail) }),
      definePlugin({
        name: 'other',
        setup(it) {
          other = it
        },
      }),
    ])
    expect(other?.resolve(Clock)).not.to.equal(ctx.resolve(Clock))
  })

  it('refuses a parameter without a token, also of a dependency, each time', async () => {
    await running([store, maker({ store: Store })])
    for (const attempt of [Unmarked, Outer, Outer] as (new (...args: never[]) => unknown)[]) {
      expect(await failureOf(() => ctx.resolve(attempt))).to.include({
        code: 'di/missing-token',
        message: 'Unmarked: constructor parameter 2 has no @inject(TOKEN)',
      })
    }
    expect(await failureOf(() => ctx.resolve(Undecorated))).to.include({
      code: 'di/missing-token',
      message: 'Undecorated is not marked with @injectable()',
    })
  })

  it('refuses a service that is not a need of the plugin', async () => {
    await running([store, maker({})])
    expect(await failureOf(() => ctx.resolve(Table))).to.include({
      code: 'di/missing-token',
      message: 'Table: constructor parameter 1 asks for store, which is not among the needs of the plugin',
    })
  })

  it('refuses to create classes after the plugin has stopped', async () => {
    const { host } = await running([store, maker({ store: Store })])
    await host.enable('maker', false)
    expect((await failureOf(() => ctx.resolve(Table))).code).to.equal('scope/closed')
    expect(viewOf(host, 'maker').effects).to.deep.equal([])
  })
})
