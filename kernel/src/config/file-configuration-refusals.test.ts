import { expect } from 'chai'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkFile, ConfigurationError, describeProblem, loadHost, readValues, type LoadedHost } from '../loader.js'
import { problemError, problem } from './problem.js'
import { folder, removeFolders } from '../test/folder.js'

const started: LoadedHost[] = []

/** Returns the source of a plugin that claims sections and shows them. `more` may add a setup that throws. */
const source = (name: string, claims: object, more = ''): string =>
  `export default { name: '${name}', config: ${JSON.stringify(claims)}, ${more} setup(ctx) { ` +
  `globalThis[Symbol.for('mynah.test.sections')][ctx.name] = ctx.config; if (ctx.config?.broken) throw ` +
  `new Error('boom') } }\n`
const anything = { type: 'object', additionalProperties: true }
const closed = {
  type: 'object',
  properties: { n: { type: 'integer' }, broken: { type: 'boolean' } },
  additionalProperties: false,
}
const SECTIONS = Symbol.for('mynah.test.sections')

async function start(files: Record<string, string>): Promise<LoadedHost> {
  const loaded = await loadHost(join(await folder(files), 'mynah.config.yml'), {
    env: {},
    keys: { closed: { const: false } as never },
  })
  started.push(loaded)
  await loaded.host.start()
  return loaded
}

describe('Configuration.apply with problems', () => {
  let sections: Record<string, unknown>
  let loaded: LoadedHost
  const first = 'plugins: [./a.js, ./b.js]\na: { n: 1 }\nb: { n: 1 }\n'
  beforeEach(async () => {
    sections = {}
    ;(globalThis as Record<symbol, unknown>)[SECTIONS] = sections
    loaded = await start({
      'mynah.config.yml': first,
      'a.js': source('a', { key: 'a', schema: closed }),
      'b.js': source('b', { key: 'b', schema: closed }),
      'f.js': source('f', { key: 'f', schema: closed, fatal: true }),
      'a2.js': source('a2', { key: 'a', schema: closed }),
    })
  })
  afterEach(async () => {
    for (const { host } of started.splice(0)) await host.stop()
    delete (globalThis as Record<symbol, unknown>)[SECTIONS]
    await removeFolders()
  })

  for (const [what, text, code, severity, line] of [
    ['that is no YAML', 'a: 1\nb: "x', 'config/syntax', 'fatal', 2],
    ['that is a list', '- a', 'config/shape', 'fatal', 1],
    ['with a wrong list of plugins', 'a: { n: 1 }\nplugins: { a: 1 }', 'config/shape', 'fatal', 2],
    ['with a plugin that is nowhere', 'plugins:\n  - ./a.js\n  - ./gone.js', 'plugin/unknown', 'fatal', 3],
    ['with a missing variable', 'plugins: [./a.js]\n\na: { n: "${MISSING}" }', 'config/missing-variable', 'fatal', 3],
    ['with something like a variable', 'plugins: [./a.js]\na: { n: "${1}" }', 'config/syntax', 'fatal', 2],
    ['with an invalid section of one plugin', 'plugins: [./a.js]\na:\n  n: x', 'config/invalid', 'plugin', 3],
    ['with an unknown key', 'plugins: [./a.js]\na:\n  n: 1\n  m: 1', 'config/invalid', 'plugin', 4],
    ['with an invalid section that ends a start', 'plugins: [./f.js]\nf: { n: x }', 'config/invalid', 'fatal', 2],
    ['with two that claim the same', 'plugins:\n  - ./a.js\n  - ./a2.js', 'config/conflicting-claims', 'plugin', 3],
    ['with a key of the host that is wrong', 'plugins: []\nclosed: true', 'config/invalid', 'fatal', 2],
  ] as const) {
    it(`refuses a text when ${what}, with its line`, async () => {
      const applied = await loaded.configuration.apply(text)
      expect(applied).to.deep.include({ accepted: false, updated: [], restarted: [] })
      const [found] = applied.problems.filter((other) => other.severity !== 'warning')
      expect([found?.code, found?.severity, found?.place?.file, found?.place?.line]).to.deep.equal([
        code,
        severity,
        'mynah.config.yml',
        line,
      ])
      expect(loaded.configuration.text()).to.equal(first)
      expect(loaded.host.inspect().map(({ name, state }) => `${name} ${state}`)).to.deep.equal(['a active', 'b active'])
      expect(sections).to.deep.equal({ a: { n: 1 }, b: { n: 1 } })
    })
  }

  it('accepts a text with warnings, and returns them', async () => {
    const applied = await loaded.configuration.apply(
      'plugins: [./a.js, ./a.js, { name: ./gone.js, enabled: false }]\na: { n: 2 }\nzzz: 1\n',
    )
    expect(applied).to.include({ accepted: true })
    expect(applied.problems.map(({ code, severity, place }) => [code, severity, place?.line])).to.have.deep.members([
      ['plugin/duplicate-name', 'warning', 1],
      ['plugin/unknown', 'warning', 1],
      ['config/unclaimed', 'warning', 3],
    ])
    expect(sections['a']).to.deep.equal({ n: 2 })
  })

  it('accepts a text of which a plugin warns, with the line, and one whose warning fails', async () => {
    const { configuration, host } = await start({
      'mynah.config.yml': 'plugins: [./w.js]\nw: { n: 1 }\n',
      'w.js':
        `export default { name: 'w', config: { key: 'w', schema: ${JSON.stringify(closed)}, warn({ n }) { ` +
        `if (n === 3) throw new Error('boom'); return n === 2 ? [{ path: 'w.n', message: 'is even' }] : [] } } }\n`,
    })
    const warnings = async (n: number) => {
      const { accepted, problems } = await configuration.apply(`plugins: [./w.js]\nw:\n  n: ${n}\n`)
      return [accepted, ...problems.map(({ code, severity, message, place }) => [code, severity, message, place?.line])]
    }
    expect(await warnings(2)).to.deep.equal([true, ['config/doubtful', 'warning', 'w.n is even', 3]])
    expect(await warnings(3)).to.deep.equal([
      true,
      ['config/doubtful', 'warning', 'w cannot be looked through: boom', 2],
    ])
    expect(host.inspect().map(({ state }) => state)).to.deep.equal(['active'])
  })

  it('accepts a text with which one plugin does not start, and reports it', async () => {
    const applied = await loaded.configuration.apply('plugins: [./a.js, ./b.js]\na: { broken: true }\nb: { n: 2 }\n')
    await loaded.host.settled()
    expect(applied).to.deep.include({ accepted: true, restarted: ['b'] })
    expect(applied.refusals).to.deep.equal([
      {
        plugin: 'a',
        mistakes: [{ path: '', message: 'a did not start with this configuration, so the previous one is back: boom' }],
      },
    ])
    expect(loaded.host.inspect().map(({ state }) => state)).to.deep.equal(['active', 'active'])
    expect(sections).to.deep.equal({ a: { n: 1 }, b: { n: 2 } })
  })

  it('rejects when the file is missing, and accepts the next text', async () => {
    await rm(loaded.configuration.file)
    const failure = await loaded.configuration.apply().catch((error: NodeJS.ErrnoException) => error.code)
    expect(failure).to.equal('ENOENT')
    await writeFile(loaded.configuration.file, 'plugins: [./a.js]\na: { n: 3 }\n')
    expect(await loaded.configuration.apply()).to.include({ accepted: true })
    expect(sections['a']).to.deep.equal({ n: 3 })
  })

  it('runs the later text although the first takes longer to read', async () => {
    let open!: () => void
    const wait = Symbol.for('mynah.test.wait')
    ;(globalThis as Record<symbol, unknown>)[wait] = new Promise<void>((resolve) => {
      open = resolve
    })
    await writeFile(
      join(loaded.paths.root, 'slow.mjs'),
      `await globalThis[Symbol.for('mynah.test.wait')]\nexport default { name: 'slow' }\n`,
    )
    const both = Promise.all([
      loaded.configuration.apply('plugins: [./slow.mjs, ./a.js]\na: { n: 5 }\n'),
      loaded.configuration.apply('plugins: [./a.js]\na: { n: 6 }\n'),
    ])
    open()
    expect((await both).map(({ accepted }) => accepted)).to.deep.equal([true, true])
    delete (globalThis as Record<symbol, unknown>)[wait]
    expect(loaded.host.inspect().map(({ name }) => name)).to.deep.equal(['a'])
    expect({ text: loaded.configuration.text(), n: sections['a'] }).to.deep.equal({
      text: 'plugins: [./a.js]\na: { n: 6 }\n',
      n: { n: 6 },
    })
  })

  it('removes all plugins for an empty text, and refuses a list', async () => {
    const { configuration } = await start({ 'mynah.config.yml': '' })
    expect(await configuration.apply('- x')).to.include({ accepted: false })
    expect(await configuration.apply('')).to.include({ accepted: true })
    expect({ text: configuration.text(), source: configuration.source() }).to.deep.equal({ text: '', source: {} })
  })
})

describe('nested claims', () => {
  afterEach(async () => {
    for (const { host } of started.splice(0)) await host.stop()
    delete (globalThis as Record<symbol, unknown>)[SECTIONS]
    await removeFolders()
  })

  const files = {
    'outer.js': source('outer', { key: 'ai', schema: anything }),
    'middle.js': source('middle', { keys: { 'ai.agent': anything, 'ai.limits': anything } }),
    'inner.js': source('inner', { key: 'ai.agent.exec', schema: anything }),
  }
  const text = (plugins: string) =>
    `plugins: [${plugins}]\nai:\n  model: m\n  limits: { max: 1 }\n  agent:\n    name: n\n    exec: { ` +
    'preset: p, rules: { agent: 1 } }\n    other: { exec: 2 }\n  agents: { exec: 3 }\n'
  const expected = {
    outer: { model: 'm', agents: { exec: 3 } },
    middle: { 'ai.agent': { name: 'n', other: { exec: 2 } }, 'ai.limits': { max: 1 } },
    inner: { preset: 'p', rules: { agent: 1 } },
  }

  for (const order of [
    './outer.js, ./middle.js, ./inner.js',
    './inner.js, ./outer.js, ./middle.js',
    './middle.js, ./inner.js, ./outer.js',
  ]) {
    it(`are separated at three levels, listed as ${order}`, async () => {
      const sections: Record<string, unknown> = {}
      ;(globalThis as Record<symbol, unknown>)[SECTIONS] = sections
      const { problems } = await start({ 'mynah.config.yml': text(order), ...files })
      expect({ problems, sections }).to.deep.equal({ problems: [], sections: expected })
    })
  }

  it('belong to disabled plugins too, so that enabling them changes no other section', async () => {
    const sections: Record<string, unknown> = {}
    ;(globalThis as Record<symbol, unknown>)[SECTIONS] = sections
    const { host } = await start({
      'mynah.config.yml': text('./outer.js, { name: ./middle.js, enabled: false }, ./inner.js'),
      ...files,
    })
    expect(sections).to.deep.equal({ outer: expected.outer, inner: expected.inner })
    await host.enable('middle', true)
    expect(sections).to.deep.equal(expected)
  })

  it('belong to the outer claim without an inner one', async () => {
    const sections: Record<string, unknown> = {}
    ;(globalThis as Record<symbol, unknown>)[SECTIONS] = sections
    await start({ 'mynah.config.yml': text('./outer.js, ./inner.js'), ...files })
    expect(sections['outer']).to.deep.equal({
      model: 'm',
      limits: { max: 1 },
      agent: { name: 'n', other: { exec: 2 } },
      agents: { exec: 3 },
    })
  })
})

describe('ConfigurationError', () => {
  afterEach(removeFolders)

  for (const [what, files, message] of [
    ['is not there', {}, 'mynah.config.yml cannot be read: it does not exist'],
    ['is a folder', { 'mynah.config.yml/x': '' }, 'mynah.config.yml cannot be read: it is a directory'],
    [
      'is no UTF-8',
      { 'mynah.config.yml': new Uint8Array([0x61, 0x3a, 0x20, 0xff, 0xfe]) },
      'mynah.config.yml cannot be read: it is not UTF-8 text',
    ],
  ] as const) {
    it(`is thrown by every reader of a file that ${what}`, async () => {
      const root = await folder(files as Record<string, string | Uint8Array>)
      for (const read of [loadHost, checkFile, readValues]) {
        const error = await (read(join(root, 'mynah.config.yml'), { env: {} }) as Promise<unknown>).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        expect(error).to.be.instanceOf(ConfigurationError)
        expect((error as ConfigurationError).problems.map((found) => found.message)).to.deep.equal([message])
        expect((error as Error).message).not.to.contain(root)
      }
    })
  }

  it('lists all problems, each with its line, remedy and code', async () => {
    const root = await folder({ 'mynah.config.yml': 'plugins:\n  - ./gone.js\n  - 5\na: ${X}\nclosed: yes\n' })
    const error = await loadHost(join(root, 'mynah.config.yml'), {
      env: {},
      keys: { closed: { const: false } as never },
    }).then(
      () => undefined,
      (thrown: unknown) => thrown as ConfigurationError,
    )
    expect(error?.problems.map(({ code, place }) => [code, place?.line])).to.have.deep.members([
      ['plugin/unknown', 2],
      ['config/shape', 3],
      ['config/missing-variable', 4],
      ['config/unclaimed', 4],
      ['config/invalid', 5],
    ])
    for (const found of error?.problems ?? [])
      expect(error?.message).to.contain(
        `mynah.config.yml:${found.place?.line}: ${found.message}\n    ${found.hint} [${found.code}]`,
      )
  })
})

describe('describeProblem', () => {
  for (const [place, expected] of [
    [{ file: 'f', line: 3, path: 'a' }, 'f:3: x'],
    [{ file: 'f' }, 'f: x'],
    [{ path: 'a' }, 'x'],
    [undefined, 'x'],
  ] as const) {
    it(`returns "${expected}" with ${JSON.stringify(place) ?? 'no place'}`, () => {
      const found = problem('plugin', 'config/invalid', 'x', place, 'p')
      expect(describeProblem(found)).to.equal(`${expected}\n    ${found.hint} [config/invalid]`)
      expect(problemError(found)).to.include({ message: expected, code: 'config/invalid', hint: found.hint })
      expect(problemError(found).place).to.deep.equal(place ?? {})
    })
  }
})
