import { expect } from 'chai'
import { attribute, framesOf, pathOf, locationOf, type Frame } from './attribution.js'
import type { PluginView } from '@mynah/kernel'

const stackOf = (...lines: unknown[]): Error =>
  Object.assign(new Error('x'), { stack: ['Error: x', ...lines].join('\n') })
const plugin = (name: string, url?: string): PluginView =>
  ({ name, ...(url ? { origin: { url, filename: 'index.js', filePath: 'x' } } : {}) }) as PluginView
const frame = (file: string): Frame => ({ file, line: 1, column: 1, name: 'f' })

describe('a line of a stack', () => {
  const at = { file: '/p/x.js', line: 3, column: 7 }
  for (const [line, expected] of [
    ['    at work (file:///p/x.js:3:7)', { ...at, name: 'work' }],
    ['    at file:///p/x.js:3:7', { ...at, name: '' }],
    ['    at /p/x.js:3:7', { ...at, name: '' }],
    ['    at work (/p/x.js:3:7)', { ...at, name: 'work' }],
    ['    at async work (file:///p/x.js:3:7)', { ...at, name: 'work' }],
    ['    at async file:///p/x.js:3:7', { ...at, name: '' }],
    ['    at async /p/x.js:3:7', { ...at, name: '' }],
    ['    at new Work (file:///p/x.js:3:7)', { ...at, name: 'new Work' }],
    ['    at Work.#run [as run] (file:///p/x.js:3:7)', { ...at, name: 'Work.#run [as run]' }],
    ['    at Object.<anonymous> (/p/x.js:3:7)', { ...at, name: 'Object.<anonymous>' }],
    ['    at file:///p/x.js?v=2#a:3:7', { ...at, name: '' }],
    ['    at work (file:///p/a%20b/x.js:3:7)', { ...at, file: '/p/a b/x.js', name: 'work' }],
    ['    at work (/p (old)/x.js:3:7)', { ...at, file: '/p (old)/x.js', name: 'work' }],
    ['    at eval (eval at work (file:///p/x.js:3:7), <anonymous>:1:1)', { ...at, name: 'eval' }],
    ['    at eval (eval at <anonymous> (eval at work (/p/x.js:3:7)), <anonymous>:1:1)', { ...at, name: 'eval' }],
    ['    at work (C:\\p\\x.js:3:7)', { ...at, file: 'C:\\p\\x.js', name: 'work' }],
  ] as const) {
    it(`"${line.trim()}" is understood`, () => expect(framesOf(stackOf(line))).to.deep.equal([expected]))
  }

  for (const line of [
    '    at node:internal/process/task_queues:95:5',
    '    at process.processTicks (node:internal/x:1:2)',
    '    at Array.map (<anonymous>)',
    '    at async Promise.all (index 0)',
    '    at <anonymous>',
    '    at native',
    'text',
    '',
    '    at work (file://elsewhere/p/x.js:3:7)',
    '    at https://x.test/y.js:1:2',
  ]) {
    it(`"${line.trim()}" is in no file of this machine`, () => expect(framesOf(stackOf(line))).to.deep.equal([]))
  }

  it('keeps its position among others', () => {
    expect(
      framesOf(stackOf('    at a (/p/a.js:1:1)', '    at node:x:1:1', '    at async b (/p/b.js:2:2)')).map(
        ({ name }) => name,
      ),
    ).to.deep.equal(['a', 'b'])
  })

  it('is read only from errors', () => {
    for (const thrown of [
      'text',
      undefined,
      null,
      { stack: '    at /p/x.js:1:1' },
      Object.assign(new Error('x'), { stack: undefined }),
      Object.assign(new Error('x'), { stack: 5 }),
    ])
      expect(framesOf(thrown)).to.deep.equal([])
  })

  it('is understood in each form of the engine', async () => {
    const names: string[][] = []
    const note = (error: unknown): void =>
      void names.push(
        framesOf(error)
          .filter(({ file }) => /attribution\.test\.[jt]s$/.test(file))
          .map(({ name }) => name),
      )
    async function named(): Promise<void> {
      await undefined
      throw new Error('x')
    }
    await named().catch(note)
    await (async () => {
      await named()
    })().catch(note)
    try {
      new (class Made {
        constructor() {
          throw new Error('x')
        }
      })()
    } catch (error) {
      note(error)
    }
    expect(names.map(([first]) => first)).to.deep.equal(['named', 'named', 'new Made'])
    expect(names[1], 'the anonymous async function around it too').to.have.lengthOf.above(1)
  })
})

describe('the path of a location', () => {
  for (const [location, expected] of [
    ['file:///a/b.js', '/a/b.js'],
    ['file:///a/b.js?x=1', '/a/b.js'],
    ['/a/b.js', '/a/b.js'],
    ['', undefined],
    ['file://host/a', undefined],
    ['file:///a%2Fb', undefined],
  ] as const) {
    it(`"${location}" is ${expected ?? 'none'}`, () => expect(pathOf(location)).to.equal(expected))
  }
})

describe('the plugin of a stack', () => {
  const outer = plugin('outer', 'file:///host/plugins/index.js')
  const inner = plugin('inner', 'file:///host/plugins/inner/index.js')
  const twin = plugin('twin', 'file:///host/plugins/inner/twin.js')
  const far = plugin('far', 'file:///host/node_modules/mynah-plugin-far/dist/index.js')
  const all = [outer, inner, twin, far, plugin('code')]

  for (const [what, files, expected] of [
    ['is the one of the file', ['/host/plugins/inner/index.js'], 'inner'],
    ['is the one of the other file in the same folder', ['/host/plugins/inner/twin.js'], 'twin'],
    [
      'is the caller where two share the folder',
      ['/host/plugins/inner/shared.js', '/host/plugins/inner/twin.js'],
      'twin',
    ],
    ['is none where two share the folder without a caller', ['/host/plugins/inner/shared.js'], undefined],
    ['is the one of the nearest folder', ['/host/plugins/lib/x.js'], 'outer'],
    ['is the innermost on the stack', ['/host/plugins/inner/index.js', '/host/plugins/index.js'], 'inner'],
    ['is the caller of a library', ['/host/plugins/node_modules/lib/x.js', '/host/plugins/inner/index.js'], 'inner'],
    ['is none for a library below its folder', ['/host/plugins/node_modules/lib/x.js'], undefined],
    ['is one that is itself a package', ['/host/node_modules/mynah-plugin-far/dist/lib/x.js'], 'far'],
    ['is none for a library of a package', ['/host/node_modules/mynah-plugin-far/dist/node_modules/y/x.js'], undefined],
    ['is no one for a folder whose name begins alike', ['/host/plugins-old/x.js'], undefined],
    ['is no one without a stack', [], undefined],
  ] as const) {
    it(what, () => {
      const found = attribute(files.map(frame), all)
      expect(found?.plugin).to.equal(expected)
      if (expected !== undefined) expect(files).to.include(found?.frame.file)
      expect(attribute(files.map(frame), [...all].reverse())?.plugin, 'whatever their order').to.equal(expected)
    })
  }

  it('is undefined if the host knows no modules', () =>
    expect(attribute([frame('/host/x.js')], [plugin('a'), plugin('b', 'file://elsewhere/x.js')])).to.equal(undefined))
})

describe('locationOf', () => {
  for (const [file, root, expected] of [
    ['/host/plugins/a.js', '/host', 'plugins/a.js:1'],
    ['/host/a.js', '/host', 'a.js:1'],
    ['/elsewhere/secret/a.js', '/host', 'a.js:1'],
    ['/hostess/a.js', '/host', 'a.js:1'],
    ['a.js', '/host', 'a.js:1'],
  ] as const) {
    it(`${file} seen from ${root} is ${expected}`, () => expect(locationOf(frame(file), root)).to.equal(expected))
  }
})
