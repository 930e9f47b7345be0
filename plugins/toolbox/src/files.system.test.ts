import { link, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eachTest, results, type Running } from './test/support.js'

describe('file tools', () => {
  const hosts = eachTest()
  let running: Running
  let root: string

  /** Returns the results of calls, one after the other in one turn. */
  async function calls(...list: readonly (readonly [string, object])[]): Promise<string[]> {
    running = await hosts.start(
      (_request, index) =>
        index < list.length
          ? {
              calls: [
                {
                  name: (list[index] as readonly [string, object])[0],
                  input: (list[index] as readonly [string, object])[1],
                },
              ],
            }
          : 'done',
      { root, agent: { maxIterations: 40 } },
    )
    await running.host.say('go', 'owner')
    return results(running.models.requests.at(-1))
  }
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mynah-toolbox-'))
    await mkdir(join(root, 'workspace'))
  })

  it('write, read, edit, list and search files', async () => {
    const told = await calls(
      ['write_file', { path: 'notes/a.md', content: 'one\ntwo\nthree\n' }],
      ['read_file', { path: './notes/a.md', offset: 2, limit: 1 }],
      ['edit_file', { path: 'notes/a.md', old: 'two', new: '$& 2' }],
      ['read_file', { path: 'notes/a.md' }],
      ['list_files', { depth: 2 }],
      ['search_files', { text: 'THREE' }],
      ['search_files', { text: '^t.r', regex: true, names: '*.md' }],
      ['search_files', { text: 'three', names: '*.txt' }],
    )
    expect(told).to.deep.equal([
      'notes/a.md written: 14 bytes',
      'two\n[Lines 2 to 2; go on with offset 3]',
      'notes/a.md changed',
      'one\n$& 2\nthree',
      'notes/\nnotes/a.md',
      'notes/a.md:3: three',
      'notes/a.md:3: three',
      'Nothing was found.',
    ])
  })

  it('edit when the old text is unique or all is set', async () => {
    await writeFile(join(root, 'workspace/a.txt'), 'x y x')
    const told = await calls(
      ['edit_file', { path: 'a.txt', old: 'x', new: 'z' }],
      ['edit_file', { path: 'a.txt', old: 'q', new: 'z' }],
      ['edit_file', { path: 'a.txt', old: 'x', new: 'z', all: true }],
      ['edit_file', { path: 'b.txt', old: 'x', new: 'z' }],
    )
    expect(told[0]).to.include('occurs 2 times')
    expect(told[1]).to.include('does not occur in a.txt')
    expect(told[2]).to.equal('a.txt changed in 2 places')
    expect(told[3]).to.include('There is no b.txt')
    expect(await readFile(join(root, 'workspace/a.txt'), 'utf8')).to.equal('z y z')
  })

  it('refuse a change that makes a file too large, and a pattern that takes too long', async () => {
    await writeFile(join(root, 'workspace/a.txt'), 'x'.repeat(1_000))
    const told = await calls(
      ['edit_file', { path: 'a.txt', old: 'x', new: 'z'.repeat(10_000), all: true }],
      ['search_files', { text: '(?:(?:x?){31}){31}[yz]', regex: true }],
    )
    expect(told[0]).to.include('a.txt would become too large')
    expect(told[1]).to.include('The pattern repeats too much')
    expect(await readFile(join(root, 'workspace/a.txt'), 'utf8')).to.equal('x'.repeat(1_000))
  })

  it('page by lines and bytes, and cut long lines', async () => {
    await writeFile(
      join(root, 'workspace/many.txt'),
      Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n'),
    )
    await writeFile(join(root, 'workspace/wide.txt'), 'é'.repeat(300_000))
    const [many = '', rest, wide = '', beyond] = await calls(
      ['read_file', { path: 'many.txt' }],
      ['read_file', { path: 'many.txt', offset: 4_999 }],
      ['read_file', { path: 'wide.txt' }],
      ['read_file', { path: 'many.txt', offset: 9_000 }],
    )
    expect(many)
      .to.match(/^line 1\n/)
      .and.match(/line 2000\n\[Lines 1 to 2000; go on with offset 2001\]$/)
    expect(rest).to.equal('line 4999\nline 5000')
    expect(wide).to.have.length.below(2_100)
    expect(beyond).to.equal('many.txt has 5000 lines')
  })

  it('read a long line in parts, to its end', async () => {
    const line = Array.from({ length: 40_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('')
    await writeFile(join(root, 'workspace/a.json'), `[\n${line}\n]`)
    const told = await calls(
      ['read_file', { path: 'a.json' }],
      ['read_file', { path: 'a.json', offset: 2, column: 2_001 }],
      ['read_file', { path: 'a.json', offset: 2, limit: 1, column: 19_067 }],
      ['read_file', { path: 'a.json', offset: 2, column: 36_133 }],
      ['read_file', { path: 'a.json', offset: 2, column: 99_999 }],
    )
    expect(told[0]).to.equal(`[\n${line.slice(0, 2_000)} [… 38000 characters more: offset 2, column 2001]\n]`)
    expect(
      told[1]?.startsWith(`${line.slice(2_000, 19_066)} [… 20934 characters more: offset 2, column 19067]`),
    ).to.equal(true)
    expect(
      told[2]?.startsWith(`${line.slice(19_066, 36_132)} [… 3868 characters more: offset 2, column 36133]`),
    ).to.equal(true)
    expect(told[3]).to.equal(`${line.slice(36_132)}\n]`)
    expect(told[4]).to.equal('\n]')
  })

  it('read a text in its encoding, which is noted, and refuse to change it', async () => {
    const table = 'c3fbb3c62ccafdc1bf2cbcdbb8f10ac6bbb9fb2c332c352e30300acfe3bdb62c31322c322e35300a'
    await writeFile(join(root, 'workspace/table.csv'), Buffer.from(table, 'hex'))
    await writeFile(join(root, 'workspace/wide.txt'), Buffer.from('\ufeffa\nü', 'utf16le'))
    await writeFile(join(root, 'workspace/marked.txt'), '\ufeffü')
    const told = await calls(
      ['read_file', { path: 'table.csv', offset: 2, limit: 1 }],
      ['read_file', { path: 'wide.txt' }],
      ['read_file', { path: 'marked.txt' }],
      ['edit_file', { path: 'table.csv', old: '3', new: '4' }],
    )
    expect(told[0]).to.match(
      /^.{2},3,5\.00\n\[The file is in gb18030, not in UTF-8\]\n\[Lines 2 to 2; go on with offset 3\]$/,
    )
    expect(told[1]).to.equal('a\nü\n[The file is in utf-16le, not in UTF-8]')
    expect(told[2]).to.equal('ü')
    expect(told[3]).to.include('table.csv is no text in UTF-8')
  })

  it('reject every path that leads out of the folder', async () => {
    await writeFile(join(root, 'outside.txt'), 'outside')
    await mkdir(join(root, 'data'))
    await writeFile(join(root, 'data/other.txt'), 'inside of the host')
    await symlink(join(root, 'outside.txt'), join(root, 'workspace/link.txt'))
    await symlink(root, join(root, 'workspace/up'))
    await symlink(join(root, 'nothing'), join(root, 'workspace/dangling'))
    await link(join(root, 'outside.txt'), join(root, 'workspace/hard.txt'))
    const paths = [
      '../outside.txt',
      '/etc/hostname',
      join(root, 'outside.txt'),
      'a/../../outside.txt',
      '..\\outside.txt',
      'link.txt',
      'up/outside.txt',
      'hard.txt',
      'data/media/inbound/../../other.txt',
      '../workspace-2/x',
      'dangling',
      'x\0y',
    ]
    const read = await calls(...paths.map((path) => ['read_file', { path }] as const))
    for (const [index, text] of read.entries())
      expect(text, paths[index]).to.match(
        /failed: (The path leads out|Links are not|A file with several names|That is no path|There is no)/,
      )
    const written = await calls(...paths.map((path) => ['write_file', { path, content: 'changed' }] as const))
    for (const [index, text] of written.entries()) expect(text, paths[index]).to.not.include('written')
    expect(await readFile(join(root, 'outside.txt'), 'utf8')).to.equal('outside')
    const [listed, found] = await calls(['list_files', { depth: 5 }], ['search_files', { text: 'outside' }])
    expect(listed).to.equal('hard.txt')
    expect(found).to.equal('Nothing was found.')
  })

  it('reject files with secrets', async () => {
    await writeFile(join(root, 'workspace/.env'), 'KEY=1')
    await writeFile(join(root, 'workspace/id_rsa'), 'KEY=1')
    const told = await calls(
      ['read_file', { path: '.env' }],
      ['read_file', { path: 'id_rsa' }],
      ['write_file', { path: '.env.local', content: 'x' }],
      ['list_files', {}],
      ['search_files', { text: 'KEY' }],
    )
    for (const text of told.slice(0, 3)) expect(text).to.include('Files that hold secrets are not for tools')
    expect(told.slice(3)).to.deep.equal(['There is nothing.', 'Nothing was found.'])
  })

  it('read files from users and do not write them', async () => {
    await mkdir(join(root, 'data/media/inbound'), { recursive: true })
    await writeFile(join(root, 'data/media/inbound/a.txt'), 'from Ann')
    const told = await calls(
      ['read_file', { path: 'data/media/inbound/a.txt' }],
      ['write_file', { path: 'data/media/inbound/a.txt', content: 'x' }],
      ['list_files', { path: 'data/media/inbound' }],
    )
    expect(told[0]).to.equal('from Ann')
    expect(told[2]).to.equal('data/media/inbound/a.txt')
    expect(await readFile(join(root, 'data/media/inbound/a.txt'), 'utf8')).to.equal('from Ann')
  })

  it('reject binary files, and show pictures', async () => {
    await writeFile(join(root, 'workspace/a.bin'), Buffer.from([1, 0, 2]))
    await writeFile(join(root, 'workspace/a.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
    const told = await calls(
      ['read_file', { path: 'a.bin' }],
      ['read_file', { path: 'a.png' }],
      ['read_file', { path: '.' }],
    )
    expect(told[0]).to.include('a.bin is no text')
    expect(told[1]).to.include('a.png').and.include('(image)')
    expect(told[2]).to.include('use list_files')
  })
})
