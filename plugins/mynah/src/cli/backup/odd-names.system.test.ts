// Names of files, imports and encodings that a backup must bear.
import { expect } from 'chai'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localPackages } from './local-packages.js'
import { Bench, plugin } from '../../test/cli.js'

const NAMES = [
  'two\nlines.txt',
  'it\'s "quoted".txt',
  '-rf',
  '--config',
  'back\\slash.txt',
  'time 10:00.txt',
  'C:drive',
  '100%.txt',
  '%2e%2e.txt',
  'a#b?c.txt',
  '..notes',
  '...',
  ' ',
  '\ufffd.txt',
  '名 😀.txt',
  '$(x) `y` *.txt',
  '\u001b[31m.txt',
]

describe('backup of odd names', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('has files with any name, and a restore brings them back', async () => {
    bench = await Bench.of({
      'mynah.config.yml': "plugins: ['./plugins/100%.js', ./..bot.js]\n",
      'plugins/100%.js': plugin('a', ''),
      '..bot.js': plugin('b', ''),
    })
    const data = join(bench.folder, 'data', 'notes')
    for (const name of NAMES) {
      await mkdir(join(data, name), { recursive: true })
      await writeFile(join(data, name, name), name)
    }
    const saved = await bench.run('backup saved')
    expect(saved.code, saved.err).to.equal(0)
    expect(saved.out).not.to.contain('not included')
    const restored = await bench.run('restore saved -c new/mynah.config.yml')
    expect(restored.code, restored.err).to.equal(0)
    for (const name of NAMES)
      expect(await readFile(join(bench.folder, 'new/data/notes', name, name), 'utf8')).to.equal(name)
    expect(await readdir(join(bench.folder, 'new'))).to.include.members(['..bot.js', 'plugins'])
  })

  it('names a file and a folder whose name is not UTF-8, and has all others', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./own]\n', 'data/notes.txt': 'x', 'own/index.js': '' })
    const odd = (folder: string): Buffer =>
      Buffer.concat([Buffer.from(`${join(bench.folder, folder)}/caf`), Buffer.of(0xe9)])
    await writeFile(odd('data'), '')
    await mkdir(odd('own'))
    const { code, out, err } = await bench.run('backup saved')
    expect(code, err).to.equal(0)
    for (const folder of ['data', 'own'])
      expect(out).to.contain(`not included: ${folder}/caf\ufffd has a name that is not UTF-8: rename it\n`)
    expect(await readdir(join(bench.folder, 'saved'), { recursive: true })).to.include.members([
      'data/notes.txt',
      'own/index.js',
    ])
    expect((await bench.run('restore saved -c new/mynah.config.yml')).code).to.equal(0)
  })

  it('bears imports of any text', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./plugin.ts, "./no\\0such.js", "./loop.js"]\n',
      'plugin.ts': [
        "import './lib 100%.ts'",
        "import './a%2Fb.js'",
        "import './a%00b.js'",
        "import '../../../../../../proc/self/mem'",
        "import './folder/'",
        "// moved from './folder'",
        `import './${'x'.repeat(300)}.js'`,
        "import './raw.ts?raw'",
        "import './part.js#x'",
        "import './sp%20ace.ts'",
      ].join('\n'),
      'folder/index.ts': '',
      'lib 100%.ts': '',
      'raw.ts': '',
      'part.js': '',
      'sp ace.ts': '',
    })
    const { code, err } = await bench.run('backup saved')
    expect(code, err).to.equal(0)
    expect((await readdir(join(bench.folder, 'saved'))).sort()).to.deep.equal([
      'backup.json',
      'mynah.config.yml',
      'part.js',
      'plugin.ts',
      'raw.ts',
      'sp ace.ts',
    ])
  })

  it('names packages whose path leads to no file', async () => {
    bench = await Bench.of({
      'package.json': JSON.stringify({ dependencies: { nul: 'file:a\0b', long: `file:${'x'.repeat(300)}` } }),
    })
    const { files, elsewhere } = await localPackages(bench.folder)
    expect(files).to.deep.equal([])
    expect(elsewhere.map((sentence) => sentence.slice(0, 32))).to.deep.equal([
      'the package "nul" is not there: ',
      'the package "long" is not there:',
    ])
  })

  it('fails where .env cannot be read, as the database that it names would be left out', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [database]\ndatabase: { type: postgres, url: "${URL}" }\n',
      '.env': '',
    })
    await writeFile(join(bench.folder, '.env'), Buffer.from('URL=postgres://größe@h/x\n', 'latin1'))
    const { code, err } = await bench.run('backup saved')
    expect(code).to.equal(2)
    expect(err).to.contain('.env:1: .env cannot be read: it is not UTF-8 text').and.to.contain('saved as UTF-8')
    await rm(join(bench.folder, '.env'))
    const without = await bench.run('backup saved')
    expect(without.code).to.equal(0)
    expect(without.out).to.contain('not included: the PostgreSQL database, as database.url is not set')
  })
})
