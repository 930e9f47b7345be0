import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { link, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { once } from 'node:events'
import { FILE_READ_LIMIT } from '@mynah/contract'
import { Bench, HEAD, removeAll } from '../test/support.js'

const CANARY = 'canary-that-nobody-may-see'
const HIDDEN = [
  '.env',
  '.env.local',
  '.env.production.local',
  '.envrc',
  '.git/config',
  'node_modules/x/index.js',
  'data/http-token',
  'server.pem',
  'tls/private.key',
  'id_rsa',
  'keys/id_ed25519.bak',
  '.env.bak',
  'id_folder/known',
  '.env.d/all',
  '.npmrc',
  'notes/old.orig',
  'notes/old.md.bak',
  'notes/draft.md~',
  'production.env',
]
interface Node {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly children?: Node[]
}
const pathsIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => [node.path, ...pathsIn(node.children ?? [])])

describe('WorkspaceFiles', () => {
  let bench: Bench
  let outside: string
  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), 'mynah-outside-'))
    await writeFile(join(outside, 'secret.txt'), CANARY)
    bench = await Bench.start('', {
      head: HEAD,
      files: {
        'notes/a.md': '# A\n',
        'notes/b.md': 'b',
        'z.txt': 'z',
        ...Object.fromEntries(HIDDEN.map((name) => [name, `X=${CANARY}`])),
      },
    })
    await bench.write({ 'mynah.config.yml.bak': CANARY })
    await symlink(join(outside, 'secret.txt'), join(bench.folder, 'link.txt'))
    await symlink(outside, join(bench.folder, 'linked'))
    await symlink('/', join(bench.folder, 'rooted'))
    await symlink('.env', join(bench.folder, 'innocent.txt'))
    await symlink('mynah.config.yml', join(bench.folder, 'config.txt'))
    await symlink('loop', join(bench.folder, 'loop'))
    await symlink('notes/b.md', join(bench.folder, 'inside.md'))
    await symlink(join(outside, 'new.txt'), join(bench.folder, 'dangling.txt'))
  })
  afterEach(async () => {
    await removeAll()
    await rm(outside, { recursive: true, force: true })
  })

  it('lists folders first, then by name, without hidden entries', async () => {
    const { tree } = (await bench.rpc('files:tree')).data as { tree: Node[] }
    expect(tree.map(({ name, type }) => `${type} ${name}`)).to.deep.equal([
      'directory keys',
      'directory notes',
      'directory tls',
      'file fragile.mjs',
      'file wants.mjs',
      'file z.txt',
    ])
    expect(pathsIn(tree)).to.include('notes/a.md').and.not.to.include('keys/id_ed25519.bak')
    expect(tree.find(({ name }) => name === 'z.txt'))
      .to.include({ size: 1, path: 'z.txt' })
      .and.to.have.property('mtime')
      .that.is.a('number')
  })

  it('rejects more than 200 hostile names when reading and saving', async () => {
    const up = [1, 2, 3, 8, 40]
    const targets = ['etc/passwd', 'etc/shadow', `${basename(outside)}/secret.txt`]
    const ups = [
      '../',
      '..\\',
      '%2e%2e/',
      '..%2f',
      '%2e%2e%2f',
      '..%5c',
      '....//',
      '..;/',
      '.%2e/',
      '..%252f',
      '..%c0%af',
      '\u2025/',
      '..\u2215',
      '.\u0000./',
    ]
    const names = new Set([
      ...ups.flatMap((step) => up.flatMap((times) => targets.map((target) => step.repeat(times) + target))),
      ...['notes/', './', 'notes/./', 'no/such/', 'linked/'].flatMap((prefix) =>
        targets.map((target) => `${prefix}../../../../${target}`),
      ),
      ...targets.flatMap((target) => [
        `/${target}`,
        `//${target}`,
        `file:///${target}`,
        `\\\\host\\${target}`,
        `C:\\${target}`,
        `C:/${target}`,
        `rooted/${target}`,
        `rooted/tmp/${target}`,
        `~/${target}`,
      ]),
      ...HIDDEN.flatMap((name) => [
        name,
        `./${name}`,
        `notes/../${name}`,
        `${name}/`,
        `${name}/.`,
        `.//${name}`,
        name.toUpperCase(),
        `${name}\u0000.txt`,
        `${name}\n`,
        `notes//..//${name}`,
      ]),
      ...[
        'mynah.config.yml',
        'mynah.config.yml.bak',
        'MYNAH.CONFIG.YML',
        'Mynah.Config.yml.BAK',
        './mynah.config.yml',
        'config.txt',
        'innocent.txt',
        'link.txt',
        'linked/secret.txt',
        'linked/../linked/secret.txt',
        'loop',
        'loop/x',
        'dangling.txt',
        'rooted',
        '..',
        '.',
        '/',
        './',
        '...',
        'notes/..',
        '\u0000',
        ' ',
        '.ENV',
        '.Env.Local',
        'DATA/http-token',
        'Data',
        '.GIT/config',
        'Node_Modules/x/index.js',
        'server.PEM',
        'ID_RSA',
        'a'.repeat(300),
        'x/'.repeat(200),
      ],
      `linked/${'a/../'.repeat(50)}secret.txt`,
    ])
    expect(names.size).to.be.at.least(200)
    const before = await readdir(outside)
    for (const filePath of names) {
      const read = await bench.rpc('files:read', { filePath })
      expect(read.success, JSON.stringify(filePath)).to.equal(false)
      expect(read.status).to.equal(400)
      expect(['forbidden', 'not_found', 'unsupported'], `${JSON.stringify(filePath)}: ${read.code}`).to.include(
        read.code,
      )
      expect(read.text).not.to.contain(CANARY).and.not.to.contain(bench.folder)
      const passed = ['...', ' ', '~', '%', '\u2025', '\u2215', ';', 'file:'].some((odd) => filePath.includes(odd))
      // Odd names are names of files like others: they are made below the root, if their folder is there.
      if (passed) continue
      const saved = await bench.rpc('files:save', { filePath, content: 'overwritten' })
      expect(saved.success, JSON.stringify(filePath)).to.equal(false)
      expect(['forbidden', 'not_found', 'conflict'], `${JSON.stringify(filePath)}: ${saved.code}`).to.include(
        saved.code,
      )
    }
    expect(await readdir(outside)).to.deep.equal(before)
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).to.equal(CANARY)
    for (const name of HIDDEN) expect(await bench.read(name)).to.equal(`X=${CANARY}`)
    expect(await bench.read()).to.contain('plugins:')
  }).timeout(30_000)

  it('rejects hard links', async () => {
    for (const [secret, name] of [
      ['.env', 'second.txt'],
      ['mynah.config.yml', 'third.txt'],
      ['data/http-token', 'fourth.txt'],
    ] as const) {
      await link(join(bench.folder, secret), join(bench.folder, name))
      const before = await bench.read(secret)
      for (const [type, more] of [
        ['files:read', {}],
        ['files:save', { content: 'x' }],
      ] as const)
        expect(await bench.rpc(type, { filePath: name, ...more }), name).to.include({ status: 400, code: 'forbidden' })
      expect(await bench.read(secret)).to.equal(before)
    }
    await link(join(bench.folder, 'z.txt'), join(bench.folder, '.env.linked'))
    expect(await bench.rpc('env:get', { filename: '.env.linked' })).to.include({ code: 'forbidden' })
    expect(
      pathsIn((await bench.rpc('files:tree')).data['tree']).filter((path) => /second|third|fourth/.test(path)),
    ).to.deep.equal([])
  })

  it('accepts links to files inside the workspace', async () => {
    expect((await bench.rpc('files:read', { filePath: 'inside.md' })).data).to.include({ content: 'b', size: 1 })
    await bench.rpc('files:save', { filePath: 'inside.md', content: 'through the link' })
    expect(await bench.read('notes/b.md')).to.equal('through the link')
  })

  it('accepts only text of at most 1 MiB', async () => {
    await bench.write({
      'full.txt': 'x'.repeat(FILE_READ_LIMIT),
      'over.txt': 'x'.repeat(FILE_READ_LIMIT + 1),
      'nul.bin': Buffer.from([65, 0, 66]),
      'bad.txt': Buffer.from([0xc3, 0x28]),
      'bom.txt': '\ufeffwith mark',
    })
    expect((await bench.rpc('files:read', { filePath: 'full.txt' })).data).to.include({ size: FILE_READ_LIMIT })
    expect(await bench.rpc('files:read', { filePath: 'over.txt' })).to.include({ status: 400, code: 'too_large' })
    for (const filePath of ['nul.bin', 'bad.txt'])
      expect(await bench.rpc('files:read', { filePath }), filePath).to.include({ code: 'unsupported:binary' })
    expect((await bench.rpc('files:read', { filePath: 'bom.txt' })).data).to.include({ content: '\ufeffwith mark' })
    expect(await bench.rpc('files:save', { filePath: 'new.txt', content: 'a\0b' })).to.include({
      code: 'unsupported:binary',
    })
    expect(
      await bench.rpc('files:save', { filePath: 'new.txt', content: 'ä'.repeat(FILE_READ_LIMIT / 2 + 1) }),
    ).to.include({ code: 'too_large' })
    expect(
      (await bench.rpc('files:save', { filePath: 'new.txt', content: 'ä'.repeat(FILE_READ_LIMIT / 2) })).success,
    ).to.equal(true)
  })

  it('rejects folders, pipes and sockets', async () => {
    execFileSync('mkfifo', [join(bench.folder, 'pipe')])
    const server = createServer().listen(join(bench.folder, 'socket'))
    await once(server, 'listening')
    try {
      for (const filePath of ['notes', 'pipe', 'socket']) {
        expect(await bench.rpc('files:read', { filePath }), filePath).to.include({
          success: false,
          code: 'unsupported',
        })
        expect(await bench.rpc('files:save', { filePath, content: 'x' }), filePath).to.include({
          success: false,
          code: 'conflict',
        })
      }
    } finally {
      server.close()
    }
    expect(await bench.rpc('files:save', { filePath: 'z.txt/below', content: 'x' })).to.include({ code: 'not_found' })
    expect(await bench.rpc('files:save', { filePath: 'no/folder.txt', content: 'x' })).to.include({ code: 'not_found' })
  })

  it('saves atomically, keeps the mode, and rejects an outdated etag', async () => {
    await writeFile(join(bench.folder, 'run.sh'), 'echo 1\n', { mode: 0o755 })
    const { etag } = (await bench.rpc('files:read', { filePath: 'run.sh' })).data as { etag: string }
    expect((await bench.rpc('files:save', { filePath: 'run.sh', content: 'echo 2\n', etag })).data).to.include({
      success: true,
    })
    expect((await stat(join(bench.folder, 'run.sh'))).mode & 0o777).to.equal(0o755)
    expect(await bench.rpc('files:save', { filePath: 'run.sh', content: 'echo 3\n', etag })).to.include({
      success: false,
      code: 'conflict',
    })
    expect(await bench.read('run.sh')).to.equal('echo 2\n')
    await rm(join(bench.folder, 'run.sh'))
    expect(await bench.rpc('files:save', { filePath: 'run.sh', content: 'echo 3\n', etag })).to.include({
      success: false,
      code: 'conflict',
    })
    expect((await readdir(bench.folder)).filter((name) => name.endsWith('.tmp'))).to.deep.equal([])
  })

  it('lets only one of several callers with the same etag save', async () => {
    const { etag } = (await bench.rpc('files:read', { filePath: 'z.txt' })).data as { etag: string }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        bench.rpc('files:save', { filePath: 'z.txt', content: `by ${index}`, etag }),
      ),
    )
    expect(answers.filter(({ success }) => success)).to.have.length(1)
    expect(answers.filter(({ code }) => code === 'conflict')).to.have.length(9)
    expect(await bench.read('z.txt')).to.equal(`by ${answers.findIndex(({ success }) => success)}`)
  })
})

describe('EnvironmentFiles', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await Bench.start('', {
      files: { '.env.local': 'A=1\n', '.env.test': 'B=2\n', '.env.a.b': 'no', 'x.env': 'no' },
    })
  })
  afterEach(removeAll)

  it('lists environment files and always .env', async () => {
    expect((await bench.rpc('env:list')).data).to.deep.equal({ files: ['.env', '.env.local', '.env.test'] })
  })

  it('reads and saves files with mode 0600', async () => {
    expect((await bench.rpc('env:get', { filename: '.env' })).data).to.include({ content: '' })
    expect((await bench.rpc('env:save', { filename: '.env', content: 'TOKEN=abc\n' })).data).to.deep.equal({
      success: true,
    })
    const saved = await bench.rpc('env:get', { filename: '.env' })
    expect(saved.data).to.include({ content: 'TOKEN=abc\n' })
    expect((await stat(join(bench.folder, '.env'))).mode & 0o777).to.equal(0o600)
    await writeFile(join(bench.folder, '.env'), 'TOKEN=elsewhere\n')
    const { etag } = saved.data as { etag: string }
    expect(await bench.rpc('env:save', { filename: '.env', content: 'TOKEN=mine\n', etag })).to.include({
      code: 'conflict',
    })
    expect(await bench.read('.env')).to.equal('TOKEN=elsewhere\n')
  })

  it('shows UTF-16 as it is, and refuses to show a guess of another encoding', async () => {
    await writeFile(join(bench.folder, '.env'), Buffer.from('\uFEFFA=größe\n', 'utf16le'))
    expect((await bench.rpc('env:get', { filename: '.env' })).data).to.include({ content: 'A=größe\n' })
    await writeFile(join(bench.folder, '.env'), Buffer.from('A=größe\n', 'latin1'))
    expect(await bench.rpc('env:get', { filename: '.env' })).to.include({ code: 'unsupported:binary' })
  })

  it('rejects other names', async () => {
    await symlink('/etc/passwd', join(bench.folder, '.env.link'))
    for (const filename of [
      'mynah.config.yml',
      '../.env',
      'notes/.env',
      '.env/',
      '.env.a.b',
      '.env.',
      '.ENV',
      '.env\0',
      '.env.link',
      '/etc/passwd',
      '.env.../x',
      '.env\n',
      `.env.${'x'.repeat(65)}`,
    ]) {
      for (const [type, more] of [
        ['env:get', {}],
        ['env:save', { content: 'x' }],
      ] as const)
        expect(await bench.rpc(type, { filename, ...more }), JSON.stringify(filename)).to.include({
          status: 400,
          success: false,
          code: 'forbidden',
        })
    }
    expect(await bench.rpc('env:save', { filename: '.env', content: 'a\0' })).to.include({ code: 'invalid_request' })
    await bench.write({ '.env.big': 'x'.repeat(FILE_READ_LIMIT + 1) })
    expect(await bench.rpc('env:get', { filename: '.env.big' })).to.include({ code: 'too_large' })
  })
})
