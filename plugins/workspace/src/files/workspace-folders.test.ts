import { link, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { FILE_TRANSFER_LIMIT } from '@mynah/contract'
import { Bench, removeAll } from '../test/support.js'

const base64 = (content: string | Buffer): string => Buffer.from(content).toString('base64')
const HOSTILE = [
  '../out.txt',
  'notes/../../out.txt',
  '/etc/out.txt',
  'C:/out.txt',
  'notes\\out.txt',
  'notes/a\u0000.txt',
  'notes/a\n.txt',
  'notes/gpj.\u202etxt',
  'notes/a\u200b.txt',
  'notes/ ',
  `notes/${'x'.repeat(256)}`,
  'linked/out.txt',
  '.env.new',
  'notes/server.pem',
  'notes/id_rsa',
  'data/http-token',
  'data/new',
  'node_modules/x.js',
  '.git/hooks/post-commit',
  'mynah.config.yml',
  'MYNAH.CONFIG.YML',
  'mynah.config.yml.bak',
]

describe('Moves, uploads and folders of the workspace', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await Bench.start('', {
      files: {
        'notes/a.md': '# A',
        'notes/b.md': 'b',
        'z.txt': 'z',
        '.env': 'A=secret',
        'keys/server.pem': 'secret',
        // The host itself writes into this folder, at any time after its start.
        'data/kept.txt': 'kept',
      },
    })
    await symlink('/tmp', join(bench.folder, 'linked'))
    await symlink('z.txt', join(bench.folder, 'alias.txt'))
  })
  afterEach(removeAll)

  const move = (from: string, to: string) => bench.rpc('files:move', { from, to })

  it('uploads any bytes and returns the same ones, up to 8 MiB', async () => {
    const bytes = Buffer.alloc(FILE_TRANSFER_LIMIT, '\u0000\u00ffab', 'latin1')
    const sent = await bench.rpc('files:upload', { filePath: 'notes/a.bin', base64: base64(bytes) })
    expect(sent.success, sent.error).to.equal(true)
    const { data } = await bench.rpc('files:download', { filePath: 'notes/a.bin' })
    expect(data).to.include({ size: bytes.length, base64: base64(bytes) })
    await bench.write({ 'big.bin': Buffer.alloc(FILE_TRANSFER_LIMIT + 1) })
    expect(await bench.rpc('files:download', { filePath: 'big.bin' })).to.include({ code: 'too_large' })
    const over = await bench.rpc('files:upload', { filePath: 'c.bin', base64: base64(Buffer.alloc(bytes.length + 1)) })
    expect(over.code).to.equal('too_large')
    expect(await readdir(bench.folder)).to.not.include('c.bin')
  }).timeout(30_000)

  it('replaces a file on request alone, through no hard link and no outgoing link', async () => {
    const upload = (filePath: string, more = {}) =>
      bench.rpc('files:upload', { filePath, base64: base64('new'), ...more })
    expect(await upload('z.txt')).to.include({ code: 'conflict' })
    expect(await bench.read('z.txt')).to.equal('z')
    expect((await upload('z.txt', { replace: true })).success).to.equal(true)
    expect(await bench.read('z.txt')).to.equal('new')
    expect(await upload('notes', { replace: true })).to.include({ code: 'conflict' })
    expect(await upload('no/folder.txt')).to.include({ code: 'not_found' })
    await link(join(bench.folder, '.env'), join(bench.folder, 'innocent.txt'))
    expect(await upload('innocent.txt', { replace: true })).to.include({ code: 'forbidden' })
    expect(await bench.read('.env')).to.equal('A=secret')
  })

  it('takes only proper base64', async () => {
    for (const text of ['a', 'YQ', 'YQ==\n', 'Y Q==', 'YR==', '%%%%'])
      expect(await bench.rpc('files:upload', { filePath: 'x.bin', base64: text }), text).to.include({
        code: 'invalid_request',
      })
  })

  it('makes a folder in an existing one', async () => {
    expect((await bench.rpc('files:make-folder', { folderPath: 'notes/new' })).success).to.equal(true)
    expect((await stat(join(bench.folder, 'notes/new'))).isDirectory()).to.equal(true)
    expect(await bench.rpc('files:make-folder', { folderPath: 'notes/new' })).to.include({ code: 'conflict' })
    expect(await bench.rpc('files:make-folder', { folderPath: 'z.txt/new' })).to.include({ code: 'not_found' })
    expect(await bench.rpc('files:make-folder', { folderPath: 'a/b' })).to.include({ code: 'not_found' })
  })

  it('renames a file, and moves a folder with all that is in it', async () => {
    expect((await move('notes/a.md', 'notes/first.md')).success).to.equal(true)
    expect((await bench.rpc('files:make-folder', { folderPath: 'docs' })).success).to.equal(true)
    expect((await move('notes', 'docs/notes')).success).to.equal(true)
    expect(await readdir(join(bench.folder, 'docs/notes'))).to.have.members(['first.md', 'b.md'])
  })

  it('never replaces what is there, and moves no folder into itself', async () => {
    expect(await move('z.txt', 'notes/a.md')).to.include({ code: 'conflict' })
    await mkdir(join(bench.folder, 'empty'))
    expect(await move('notes', 'empty')).to.include({ code: 'conflict' })
    expect(await move('notes', 'notes/inner')).to.include({ code: 'conflict' })
    expect(await move('nothing', 'something')).to.include({ code: 'not_found' })
    expect(await bench.read('notes/a.md')).to.equal('# A')
  })

  it('moves no protected file, no link, and no folder with a protected file in it', async () => {
    await link(join(bench.folder, '.env'), join(bench.folder, 'second.txt'))
    for (const name of [
      '.env',
      'keys',
      'keys/server.pem',
      'alias.txt',
      'linked',
      'second.txt',
      '.',
      'mynah.config.yml',
    ])
      expect(await move(name, 'shown.txt'), name).to.include({ code: 'forbidden' })
    expect(await bench.read('.env')).to.equal('A=secret')
    expect(await readdir(bench.folder)).to.not.include('shown.txt')
  })

  it('rejects hostile new names in each operation', async () => {
    const before = await readdir(bench.folder)
    for (const name of HOSTILE) {
      const shown = JSON.stringify(name)
      expect((await move('z.txt', name)).code, `move ${shown}`).to.equal('forbidden')
      expect((await bench.rpc('files:make-folder', { folderPath: name })).code, `make ${shown}`).to.equal('forbidden')
      const sent = await bench.rpc('files:upload', { filePath: name, base64: '', replace: true })
      expect(sent.code, `upload ${shown}`).to.equal('forbidden')
    }
    expect(await readdir(bench.folder)).to.deep.equal(before)
    for (const name of ['http-token', 'new']) expect(await readdir(join(bench.folder, 'data'))).to.not.include(name)
    expect(await readFile(join(bench.folder, 'z.txt'), 'utf8')).to.equal('z')
  })

  it('hides a data directory that is behind a link', async () => {
    const linked = await Bench.start('', { files: { 'store/kept.txt': 'kept' }, links: { data: 'store' } })
    const { data } = await linked.rpc('files:tree')
    expect(JSON.stringify(data)).to.not.contain('store')
    expect(await linked.rpc('files:read', { filePath: 'store/kept.txt' })).to.include({ code: 'forbidden' })
  })
})
