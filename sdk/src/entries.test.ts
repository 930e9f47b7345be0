import { expect } from 'chai'
import {
  loadConsoleEntries,
  startConsoleEntries,
  type ConsoleEntries,
  type EntryHostApi,
  type EntryState,
  type LoadEntriesOptions,
} from './index.js'
import { TestClock } from './test/test-clock.js'
import { deadBase, json, TestHost, text } from './test/test-host.js'

const entry = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  resolvedModule: `/@dev/${id}/client/index.js?v=1`,
  order: 100,
  enabled: true,
  meta: { name: id, version: '1.0.0' },
  ...more,
})

/** Imports what the host serves, as a browser would; Node itself imports no `http:`. */
const importModule = async (url: string): Promise<unknown> => {
  const response = await fetch(url)
  if (!response.ok) throw new TypeError(`Failed to fetch dynamically imported module: ${url}`)
  return import(`data:text/javascript,${encodeURIComponent(`${await response.text()}\n// ${url}`)}`)
}

describe('loadConsoleEntries', () => {
  let host: TestHost
  let loaded: ConsoleEntries | undefined
  beforeEach(async () => {
    host = await new TestHost().start()
  })
  afterEach(async () => {
    loaded?.dispose()
    await host.stop()
  })

  const serve = (...entries: unknown[]) => host.on('GET /entries', json({ entries, runtimeEnvHint: 'development' }))
  const module = (id: string, source: string) =>
    host.on(`GET /@dev/${id}/client/index.js`, text(source, 'text/javascript'))
  const load = async (options: Partial<LoadEntriesOptions<object>> = {}) =>
    (loaded = await loadConsoleEntries({ hostApi: {}, assetOrigin: host.base, importModule, ...options }))
  const state = (id: string) => loaded?.entries.find((one) => one.id === id) as EntryState
  const paths = () => loaded?.entries.flatMap(({ routes }) => routes.map(({ path }) => path))

  it('registers pages and tools in their order', async () => {
    serve(entry('late', { order: 2 }), entry('early', { order: 1 }), entry('off', { enabled: false, order: 3 }))
    module(
      'late',
      `export function register(api) {
      api.addRoute({ path: '/late', name: 'Late', element: () => null, icon: 'clock', meta: { group: 'Extensions', order: 3, hideInMenu: false, fullWidth: true, other: 1 } })
      api.addTool({ name: 'Help', path: '/late' })
    }`,
    )
    module(
      'early',
      'export default { register(api) { api.addPage({ path: "/early", name: "Early", element: {} }); ' +
        'api.addTool({ id: "t", name: "T" }) } }',
    )
    await load()
    expect(loaded?.entries.map(({ id, status }) => [id, status])).to.deep.equal([
      ['early', 'loaded'],
      ['late', 'loaded'],
      ['off', 'disabled'],
    ])
    expect(state('late').routes).to.have.length(1)
    expect(state('late').routes[0]).to.deep.include({
      path: '/late',
      name: 'Late',
      entryId: 'late',
      icon: 'clock',
      meta: { group: 'Extensions', order: 3, hideInMenu: false, fullWidth: true },
    })
    expect(state('late').tools).to.deep.equal([{ id: 'late:1', name: 'Help', path: '/late', entryId: 'late' }])
    expect(state('early').tools).to.deep.equal([{ id: 't', name: 'T', entryId: 'early' }])
    expect(host.to('/@dev/off/client/index.js')).to.deep.equal([])
  })

  it('reports the error of each entry, and loads the others', async () => {
    serve(entry('missing'), entry('broken'), entry('throws'), entry('mute'), entry('syntax'), entry('good'))
    host.on('GET /@dev/broken/client/index.js', text('no', 'text/plain', 500))
    module(
      'throws',
      'export const register = (api) => { api.addRoute({ path: "/gone", name: "Gone", element: () => null ' +
        '}); throw new Error("no sandbox here") }',
    )
    module('mute', 'export const setup = () => {}')
    module('syntax', 'export const = 1')
    module(
      'good',
      'export const register = (api) => { api.addRoute({ path: "/good", name: "Good", element: () => null }) }',
    )
    await load()
    expect(Object.fromEntries(loaded?.entries.map(({ id, error }) => [id, error?.code]) ?? [])).to.deep.equal({
      missing: 'not-found',
      broken: 'http',
      throws: 'threw',
      mute: 'no-register',
      syntax: 'threw',
      good: undefined,
    })
    expect(state('missing').error?.message).to.equal('The host has no /@dev/missing/client/index.js')
    expect(state('throws').error?.message).to.equal('no sandbox here')
    expect(state('syntax').error?.message).to.match(/failed while it was loaded: .*token/i)
    expect(paths()).to.deep.equal(['/good'])
  })

  it('distinguishes missing entries from a host that is down', async () => {
    const base = await deadBase()
    await load({ assetOrigin: base })
    expect(loaded).to.deep.include({ entries: [] })
    expect(loaded?.error).to.include({ code: 'refused' })
    serve({ not: 'entries' })
    host.on('GET /entries', json({ entries: 'none' }))
    expect((await load()).error).to.include({ code: 'invalid' })
    host.on('GET /entries', text('<html>', 'text/html'))
    expect((await load()).error).to.include({ code: 'invalid' })
    host.on('GET /entries', json({}, 503))
    expect((await load()).error).to.include({ code: 'http' })
  })

  it('imports modules from the host only', async () => {
    const evil = await new TestHost()
      .on('GET /x.js', text('export const register = () => {}', 'text/javascript'))
      .start()
    const imported: string[] = []
    try {
      const modules = [
        `${evil.base}/x.js`,
        `//${evil.base.slice(7)}/x.js`,
        `/\\${evil.base.slice(7)}/x.js`,
        'x.js',
        '',
        'javascript:1',
        `/@dev/a\n//${evil.base.slice(7)}`,
        '@127.0.0.1/x.js',
        null,
      ]
      serve(
        ...modules.map((resolvedModule, index) => entry(`e${index}`, { resolvedModule })),
        entry('dots', { resolvedModule: '/../../@dev/dots/client/index.js' }),
      )
      module('dots', 'export const register = () => {}')
      await load({
        importModule: (url) => {
          imported.push(url)
          return importModule(url)
        },
      })
      expect(loaded?.entries.map(({ error }) => error?.code)).to.deep.equal([
        undefined,
        ...modules.map(() => 'invalid'),
      ])
      expect(imported).to.deep.equal([`${host.base}/@dev/dots/client/index.js`])
      expect(evil.requests).to.deep.equal([])
    } finally {
      await evil.stop()
    }
  })

  it('refuses registrations that the console could not show', async () => {
    const refused: [string, RegExp][] = [
      ['addRoute({ name: "A", element })', /path/],
      ['addRoute({ path: "a", name: "A", element })', /path/],
      ['addRoute({ path: "//evil", name: "A", element })', /path/],
      ['addRoute({ path: "/a?b", name: "A", element })', /path/],
      ['addRoute({ path: "/a", name: "", element })', /name/],
      ['addRoute({ path: "/a", name: 3, element })', /name/],
      ['addRoute({ path: "/a", name: "A" })', /element/],
      ['addRoute({ path: "/a", name: "A", element: { foreign: true } })', /bundle/],
      ['addRoute({ path: "/a", name: "A", element, icon: 7 })', /icon/],
      ['addRoute({ path: "/a", name: "A", element, meta: { order: NaN } })', /meta\.order must be a number/],
      ['addRoute({ path: "/a", name: "A", element, meta: [] })', /meta/],
      ['addRoute(null)', /object/],
      ['addTool({ name: "" })', /name/],
      ['addTool({ name: "T", path: "x" })', /path/],
      ['addTool({ name: "T", id: 4 })', /id/],
      ['addRoute({ path: "/a", name: "A", element }), api.addRoute({ path: "/a", name: "A", element })', /already/],
    ]
    serve(...refused.map((_, index) => entry(`e${index}`)))
    for (const [index, [call]] of refused.entries())
      module(`e${index}`, `export const register = (api) => { const element = () => null; api.${call} }`)
    await load({ isElement: (value) => typeof value === 'function' })
    for (const [index, [call, reason]] of refused.entries()) {
      expect(state(`e${index}`).error?.code, call).to.equal('invalid')
      expect(state(`e${index}`).error?.message, call).to.match(reason)
    }
    expect(paths()).to.deep.equal([])
  })

  it('refuses a page that another entry has', async () => {
    serve(entry('a'), entry('b'))
    for (const id of ['a', 'b'])
      module(
        id,
        'export const register = (api) => { api.addRoute({ path: "/same", name: "Same", element: () => null }) }',
      )
    await load()
    expect(loaded?.entries.map(({ status }) => status).sort()).to.deep.equal(['failed', 'loaded'])
    expect(paths()).to.deep.equal(['/same'])
  })

  it('passes the host API of the console, created for each entry', async () => {
    const told: unknown[] = []
    serve(entry('a'), entry('b'))
    for (const id of ['a', 'b'])
      module(
        id,
        'export const register = (api) => { api.tell(Object.keys(api).sort().join(), api.client); ' +
          `api.addRoute({ path: '/${id}', name: '${id}', element: () => null }) }`,
      )
    await load({
      hostApi: ({ id }: { id: string }) => ({ client: id, tell: (...parts: unknown[]) => told.push(parts) }),
    })
    expect(told).to.have.deep.members([
      ['addPage,addRoute,addTool,client,tell', 'a'],
      ['addPage,addRoute,addTool,client,tell', 'b'],
    ])
  })

  it('passes each registration to the console, which may refuse it', async () => {
    const heard: string[] = []
    serve(entry('a'), entry('b'))
    for (const id of ['a', 'b'])
      module(
        id,
        `export const register = (api) => { api.addPage({ path: '/${id}', name: '${id}', element: () => null ` +
          `}); api.addTool({ name: 'T' }) }`,
      )
    await load({
      hostApi: {
        addRoute({ path }: { path: string }) {
          if (path === '/b') throw new Error('/b is a page of the console')
          heard.push(`+${path}`)
          return () => heard.push(`-${path}`)
        },
        addTool: ({ id }: { id: string }) => void heard.push(`+${id}`),
      },
    })
    expect(state('b').error?.message).to.equal('/b is a page of the console')
    expect(heard).to.deep.equal(['+/a', '+a:1'])
    loaded?.dispose()
    expect(heard).to.deep.equal(['+/a', '+a:1', '-/a'])
  })

  it('adds, replaces and removes entries with the list of the host', async () => {
    const calls: string[] = []
    const source = (id: string, version: number) =>
      `export const register = (api) => { api.calls.push('+${id}${version}'); api.addRoute({ path: ` +
      `'/${id}/${version}', name: 'x', element: () => null }); return () => ` +
      `api.calls.push('-${id}${version}') }`
    serve(entry('a'), entry('b'))
    for (const id of ['a', 'b']) module(id, source(id, 1))
    await load({ hostApi: { calls } })
    calls.length = 0
    await loaded?.update([entry('a', { order: 7, meta: { name: 'A', version: '2' } }), entry('b')] as never)
    expect(calls).to.deep.equal([])
    expect(state('a').entry).to.deep.include({ order: 7, meta: { name: 'A', version: '2' } })

    module('a', source('a', 2)).on('GET /@dev/c/client/index.js', text(source('c', 1), 'text/javascript'))
    await loaded?.update([entry('a', { resolvedModule: '/@dev/a/client/index.js?v=2' }), entry('c')] as never)
    expect(calls).to.have.members(['-b1', '-a1', '+a2', '+c1'])
    expect(calls.indexOf('-a1')).to.be.lessThan(calls.indexOf('+a2'))
    expect(paths()).to.have.members(['/a/2', '/c/1'])

    await loaded?.update([entry('a', { resolvedModule: '/@dev/a/client/index.js?v=2', enabled: false })] as never)
    expect(loaded?.entries.map(({ id, status, routes }) => [id, status, routes.length])).to.deep.equal([
      ['a', 'disabled', 0],
    ])
  })

  it('keeps the pages of an entry until its new module is loaded', async () => {
    serve(entry('a'))
    module('a', 'export const register = (api) => { api.addRoute({ path: "/one", name: "x", element: () => null }) }')
    const seen: (string[] | undefined)[] = []
    await load()
    await load({
      onChange: (entries) =>
        seen.push(entries.flatMap(({ routes, status }) => [status, ...routes.map(({ path }) => path)])),
    })
    module('a', 'export const register = (api) => { api.addRoute({ path: "/two", name: "x", element: () => null }) }')
    seen.length = 0
    await loaded?.update([entry('a', { resolvedModule: '/@dev/a/client/index.js?v=2' })] as never)
    expect(seen[0]).to.deep.equal(['loading', '/one'])
    expect(seen.at(-1)).to.deep.equal(['loaded', '/two'])
  })

  it('loads an entry again after a failure of the network', async () => {
    serve(entry('away'), entry('throws'))
    module(
      'throws',
      'export const register = () => { globalThis.mynahTestCalls = (globalThis.mynahTestCalls ?? 0) + 1; ' +
        'throw new Error("x") }',
    )
    try {
      await load()
      module('away', 'export const register = () => {}')
      await loaded?.update([entry('away'), entry('throws')] as never)
      expect(state('away').status).to.equal('loaded')
      expect((globalThis as { mynahTestCalls?: number }).mynahTestCalls).to.equal(1)
    } finally {
      Reflect.deleteProperty(globalThis, 'mynahTestCalls')
    }
  })

  it('stops waiting for an entry after 10 s, and refuses its late registrations', async () => {
    const clock = new TestClock()
    let started: () => void = () => undefined
    const running = new Promise<void>((resolve) => {
      started = resolve
    })
    let goOn: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let late: Promise<unknown> | undefined
    serve(entry('slow'), entry('good'))
    const modules: Record<string, unknown> = {
      slow: {
        register: (api: EntryHostApi) => {
          api.addRoute({ path: '/early', name: 'x', element: () => null })
          started()
          return (late = gate
            .then(() => api.addRoute({ path: '/late', name: 'x', element: () => null }))
            .catch((error: unknown) => error))
        },
      },
      good: { register: (api: EntryHostApi) => void api.addRoute({ path: '/good', name: 'x', element: () => null }) },
    }
    const done = load({ clock, importModule: async (url) => modules[new URL(url).pathname.split('/')[2] ?? ''] })
    await running
    clock.advance(10_000)
    await done
    expect(state('slow').error).to.include({ code: 'timeout', message: 'The entry "slow" did not load within 10 s' })
    expect(state('good').status).to.equal('loaded')
    goOn()
    expect(await late)
      .to.be.instanceOf(Error)
      .and.include({ message: 'The entry "slow" has been removed and can register nothing' })
    expect(paths()).to.deep.equal(['/good'])
  })

  it('uses a newer list that arrives while the first one is loading', async () => {
    module('old', 'export const register = () => {}').on(
      'GET /@dev/new/client/index.js',
      text('export const register = () => {}', 'text/javascript'),
    )
    let push: ((entries: never) => void) | undefined
    let ended = 0
    host.on('GET /entries', (response, seen) => {
      push?.([entry('new')] as never)
      json({ entries: [entry('old')] })(response, seen)
    })
    await load({
      watch: (update) => {
        push = update as never
        return () => {
          ended++
        }
      },
    })
    expect(loaded?.entries.map(({ id, status }) => [id, status])).to.deep.equal([['new', 'loaded']])
    loaded?.dispose()
    expect(ended).to.equal(1)
  })

  it('loads the valid entries of a list that is malformed in part', async () => {
    serve(
      null,
      7,
      { id: '' },
      { id: 'a', resolvedModule: '/@dev/a/client/index.js', order: 'x', meta: null },
      entry('b', { order: 1 }),
    )
    for (const id of ['a', 'b']) module(id, 'export const register = () => {}')
    await load()
    expect(loaded?.entries.map(({ entry: { id, order, meta } }) => [id, order, meta.name])).to.deep.equal([
      ['b', 1, 'b'],
      ['a', 100, 'a'],
    ])
  })

  const manifest = {
    routes: [
      { path: '/charts', name: { en: 'Charts', 'zh-CN': '图表' }, icon: 'dashboard', meta: { group: 'operate' } },
    ],
    tools: [{ name: 'Help', path: '/charts' }],
  }
  const declared = (id: string, more: object = {}) =>
    entry(id, { meta: { name: id, version: '1', plugin: 'p', manifest, ...more } })

  it('shows deferred entries by their manifest, and loads them when they are opened', async () => {
    serve(declared('charts'), entry('plain'))
    module('charts', 'export const register = (api) => { api.addRoute({ path: "/charts", element: () => null }) }')
    module(
      'plain',
      'export const register = (api) => { api.addRoute({ path: "/plain", name: "Plain", element: () => null }) }',
    )
    await load({ defer: () => true })
    expect(state('charts')).to.deep.include({
      status: 'deferred',
      routes: [
        {
          path: '/charts',
          name: 'Charts',
          icon: 'dashboard',
          meta: { group: 'operate' },
          element: undefined,
          entryId: 'charts',
        },
      ],
    })
    expect(state('charts').tools).to.deep.equal([{ name: 'Help', path: '/charts', id: 'charts:1', entryId: 'charts' }])
    expect(state('charts').entry.meta.plugin).to.equal('p')
    expect([state('plain').status, host.to('/@dev/charts/client/index.js').length]).to.deep.equal(['loaded', 0])
    await Promise.all([loaded?.open('charts'), loaded?.open('charts'), loaded?.open('nobody')])
    expect(state('charts').status).to.equal('loaded')
    // The manifest fills in the fields that the registration leaves out.
    expect(state('charts').routes[0]).to.include({ name: 'Charts', icon: 'dashboard' })
    expect(state('charts').routes[0]?.element).to.be.a('function')
    expect(host.to('/@dev/charts/client/index.js')).to.have.length(1)
  })

  it('keeps the position of a deferred entry that failed, and loads it again when it is opened again', async () => {
    serve(declared('charts'))
    await load({ defer: () => true })
    await loaded?.open('charts')
    expect([state('charts').status, state('charts').error?.code, paths()]).to.deep.equal([
      'failed',
      'not-found',
      ['/charts'],
    ])
    module('charts', 'export const register = (api) => { api.addRoute({ path: "/charts", element: () => null }) }')
    await loaded?.open('charts')
    expect([state('charts').status, state('charts').error]).to.deep.equal(['loaded', undefined])
  })

  it('loads the new module of an opened entry at once, also where the one before has failed', async () => {
    serve(declared('charts'))
    module('charts', '')
    await load({ defer: () => true })
    await loaded?.open('charts')
    expect(state('charts').status).to.equal('failed')
    module('charts', 'export const register = (api) => { api.addRoute({ path: "/charts", element: () => null }) }')
    const built = { ...declared('charts'), resolvedModule: '/@dev/charts/client/index.js?v=2' }
    await loaded?.update([built] as never)
    expect(state('charts').status).to.equal('loaded')
    expect(state('charts').routes[0]?.element).to.be.a('function')
  })

  it('loads an entry with a malformed manifest at once, like one without', async () => {
    const nonsense = [
      { routes: 1 },
      { routes: [{ path: 'javascript:x', name: 'X' }], tools: [] },
      { routes: [{ path: '//evil', name: 'X' }], tools: [] },
      { routes: [{ path: '/x', name: { de: 'X' } }], tools: [] },
      { routes: [null], tools: [] },
      'text',
    ]
    serve(...nonsense.map((wrong, index) => entry(`e${index}`, { meta: { name: 'e', version: '1', manifest: wrong } })))
    for (const [index] of nonsense.entries())
      module(
        `e${index}`,
        `export const register = (api) => { api.addRoute({ path: "/e${index}", name: "E", element: () => null }) }`,
      )
    await load({ defer: () => true })
    expect(loaded?.entries.map(({ status }) => status)).to.deep.equal(nonsense.map(() => 'loaded'))
  })

  it('reports each entry as soon as it is loaded, while others are pending', async () => {
    serve(entry('slow'), entry('good', { order: 200 }))
    module(
      'good',
      'export const register = (api) => { api.addRoute({ path: "/good", name: "Good", element: () => null }) }',
    )
    let arrived = (): void => undefined
    const good = new Promise<void>((resolve) => {
      arrived = resolve
    })
    loaded = startConsoleEntries({
      hostApi: {},
      assetOrigin: host.base,
      importModule: (url) => (url.includes('slow') ? new Promise(() => undefined) : importModule(url)),
      onChange: (states) => {
        if (states.some(({ id, status }) => id === 'good' && status === 'loaded')) arrived()
      },
    })
    await good
    expect(state('slow').status).to.equal('loading')
  })
})
