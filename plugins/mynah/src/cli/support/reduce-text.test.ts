import { expect } from 'chai'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogRecord } from '@mynah/kernel'
import { readCodeTexts } from './code-texts.js'
import { packageOf, shownPackages, type InstalledPackage } from './packages.js'
import { Reducer } from './reduce-text.js'

const CODE = `import { x } from 'y'
export function join(log, name, nick, error) {
  log.warn(\`kicked from \${name} by \${nick}: \${error}\`)
  log.warn('failed to join the room ' + name + ': ' + error.message, { state: 'offline' })
  throw new RoomError(\`the room is closed to \${nick} for today\`)
}
`

describe('reduced log lines', () => {
  let folder: string
  let packages: readonly InstalledPackage[]
  let reducer: Reducer
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mynah-reduce-')))
    const files: Record<string, string> = {
      'node_modules/mynah-plugin-rooms/package.json': '{ "name": "mynah-plugin-rooms", "version": "1.2.3" }',
      'node_modules/mynah-plugin-rooms/dist/index.js': CODE,
      'node_modules/mynah-plugin-rooms/dist/test/index.js': "export const said = 'a sentence of a test file'",
      'node_modules/mynah-plugin-rooms/broken.js': 'const broken = ',
      'node_modules/mynah-plugin-private/package.json':
        '{ "name": "mynah-plugin-private", "version": "1.0.0", "private": true }',
      'node_modules/mynah-plugin-private/index.js': "export const secret = 'the plan of the company'",
      'node_modules/mynah-plugin-other/package.json': '{ "name": "another-name", "version": "1.0.0" }',
      'own.js': "export const mine = 'a sentence of my own plugin'",
    }
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    await symlink(join(folder, 'own.js'), join(folder, 'node_modules/mynah-plugin-rooms/dist/linked.js'))
    packages = shownPackages(folder).filter((one) => one.folder.startsWith(folder))
    reducer = new Reducer(await readCodeTexts(packages), packages)
  })
  after(() => rm(folder, { recursive: true }))

  it('are read from public packages only', () => {
    expect(packages.map(({ name, version }) => [name, version])).to.deep.equal([['mynah-plugin-rooms', '1.2.3']])
    const other = join(folder, 'node_modules/mynah-plugin-rooms-more/index.js')
    expect(packageOf(other, packages)).to.equal(undefined)
  })

  it('keep the text of the code and lose its values', () => {
    for (const [text, shown] of [
      ['kicked from #home by alice: go home', 'kicked from … by …: …'],
      ['failed to join the room #home: it rains', 'failed to join the room …: …'],
      [
        'failed to join the room #home: the room is closed to alice for today',
        'failed to join the room …: the room is closed to … for today',
      ],
      [
        'failed to join the room x: connect ECONNREFUSED 10.0.0.7:6667',
        'failed to join the room …: connect ECONNREFUSED …',
      ],
      ['failed to join the room x: ENOENT', 'failed to join the room …: ENOENT'],
      ['failed to join the room x: 503', 'failed to join the room …: 503'],
      ['failed to join the room x: 12345', 'failed to join the room …: …'],
      ["Cannot read properties of undefined (reading 'alice')", 'Cannot read properties of undefined (reading …)'],
      ['he said: failed to join the room x: y', '…'],
      ['a sentence of a test file', '…'],
      ['a sentence of my own plugin', '…'],
      ['the plan of the company', '…'],
      ['open the door', '…'],
      ['connect me to Bob', '…'],
      ['EVERYTHING is lost', '…'],
      ['', ''],
    ] as const)
      expect(reducer.text(text), text).to.equal(shown)
    expect(reducer.text(`failed to join the room ${'by : '.repeat(100_000)}`)).to.equal('failed to join the room …: …')
    expect([reducer.word('offline'), reducer.word('alice')]).to.deep.equal(['offline', '…'])
  })

  it('have places of packages, and no field with a text', () => {
    const line = (fields: LogRecord['fields'], name = 'rooms'): object =>
      reducer.line({ time: 0, level: 'error', name, message: 'alice', ...(fields ? { fields } : {}) })
    const file = join(folder, 'node_modules/mynah-plugin-rooms/dist/index.js')
    const stack = [
      'Error: alice',
      '    at my house (/home/alice/diary.js:1:1)',
      `    at alice (file://${file}:4:9)`,
      `    at ${file}:5:1`,
      `    at ${join(folder, 'own.js')}:1:1`,
      '    at process.processTicksAndRejections (node:alice/and/bob:1:1)',
    ].join('\n')
    expect(line({ stack, code: 'ECONNRESET', session: 'alice', error: 'alice' })).to.deep.equal({
      time: '1970-01-01T00:00:00.000Z',
      level: 'error',
      plugin: 'rooms',
      message: '…: …',
      code: 'ECONNRESET',
      stack: ['mynah-plugin-rooms/dist/index.js:4:9', 'mynah-plugin-rooms/dist/index.js:5:1', '(own plugin)', 'node'],
    })
    expect(line({ code: 'alice', stack: 7 }, 'alice')).to.include({ plugin: '(own plugin)', code: '…' })
  })
})
