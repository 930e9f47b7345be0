// Each kind of project: it is whole, its code compiles, its test passes, its configuration is in order.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CREATE = join(ROOT, 'create-mynah/bin/create-mynah.js')

interface Result { readonly code: number; readonly out: string }

describe('npm create mynah', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'create-mynah-'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const run = async (program: string, args: readonly string[], cwd = folder): Promise<Result> => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { cwd })
      return { code: 0, out: stdout + stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, out: stdout + stderr }
    }
  }
  const create = (...args: string[]): Promise<Result> => run(CREATE, args)

  for (const [args, name, has] of [
    [['my-bot'], 'my-bot', 'plugins/bot.ts'],
    [['bot', 'irc-bot', '--platform', 'irc', '--database'], 'irc-bot', 'adapter: irc'],
    [['bot', 'tg', '--platform=telegram'], 'tg', 'adapter: telegram'],
    [['plugin', 'mynah-plugin-hello', '--page'], 'mynah-plugin-hello', './src/index.ts'],
    [['adapter', 'mynah-plugin-line'], 'mynah-plugin-line', 'adapter: line'],
  ] as const) {
    it(`${args.join(' ')} compiles, and its configuration is in order`, async function () {
      this.timeout(60_000)
      const { code, out } = await create(...args, '--no-install')
      expect(code, out).to.equal(0)
      expect(out).to.contain(`cd ${name}\n  npm install\n`).and.to.contain('npm start')
      const project = join(folder, name)
      expect(await readdir(project)).to.include.members(['README.md', '.gitignore', 'package.json', 'tsconfig.json', 'mynah.config.yml'])
      expect(await readFile(join(project, 'mynah.config.yml'), 'utf8')).to.contain(has)
      expect((await run(join(ROOT, 'node_modules/typescript/bin/tsc'), ['-p', '.', '--singleThreaded'], project)).out).to.equal('')
      expect(await run(join(ROOT, 'plugins/mynah/bin/mynah.js'), ['config', 'check'], project)).to.deep.equal({ code: 0, out: 'mynah.config.yml is in order\n' })
    })
  }

  it('writes a bot whose test passes, without a build', async function () {
    this.timeout(60_000)
    await create('my-bot', '--no-install')
    const { scripts } = JSON.parse(await readFile(join(folder, 'my-bot/package.json'), 'utf8')) as { scripts: { test: string } }
    const [program, ...args] = scripts.test.split(' ')
    expect(program).to.equal('node')
    const { code, out } = await run(args[0] as string, args.slice(1), join(folder, 'my-bot'))
    expect(code, out).to.equal(0)
    expect(out).to.contain('pass 1')
  })

  it('is also mynah new', async () => {
    const { code, out } = await run(join(ROOT, 'plugins/mynah/bin/mynah.js'), ['new', 'plugin', 'mynah-plugin-x', '--no-install', '--yes'])
    expect(code, out).to.equal(0)
    expect(await readFile(join(folder, 'mynah-plugin-x/src/index.ts'), 'utf8')).to.contain("name: 'x'")
  })

  it('refuses a folder that holds something, and leaves it as it was', async () => {
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full/mine.txt'), 'mine')
    const { code, out } = await create('full', '--no-install')
    expect(code).to.equal(1)
    expect(out).to.equal('full is not empty; name another folder\n')
    expect(await readdir(join(folder, 'full'))).to.deep.equal(['mine.txt'])
    expect((await readdir(folder)).sort()).to.deep.equal(['full', 'node_modules'])
  })

  it('writes into an empty folder, and beside the history of a new repository', async () => {
    await mkdir(join(folder, 'new/.git'), { recursive: true })
    await mkdir(join(folder, 'empty'))
    expect((await create('new', '--no-install')).code).to.equal(0)
    expect((await create('empty', '--no-install')).code).to.equal(0)
    expect(await readdir(join(folder, 'new'))).to.include.members(['.git', 'plugins', '.gitignore'])
  })

  for (const [args, says] of [
    [['bot', 'a', 'b'], 'Too many words: a b'], [['--nonesuch'], "Unknown option '--nonesuch'"], [['x', '--platform', 'fax'], '--platform must be one of sandbox, irc, telegram, not "fax"'],
    [['plugin', 'x', '--database'], '--database belongs to a bot, not to a plugin'], [['x', '--page'], '--page belongs to a plugin, not to a bot'], [['../1'], 'makes no name for a package'],
  ] as const) {
    it(`says what is wrong with ${args.join(' ')}`, async () => {
      const { code, out } = await create(...args, '--no-install')
      expect(code).to.equal(64)
      expect(out).to.contain(says).and.not.to.contain('    at ')
    })
  }

  it('takes packages from tarballs where a folder with them is named, and all that they need', async () => {
    await mkdir(join(folder, 'packed'))
    const pack = async (name: string, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {}): Promise<void> => {
      const at = join(folder, 'work', name)
      await mkdir(at, { recursive: true })
      await writeFile(join(at, 'package.json'), JSON.stringify({ name, version: '0.1.0', dependencies, peerDependencies, peerDependenciesMeta }))
      await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', join(folder, 'packed')], { cwd: at })
    }
    await pack('mynah', { '@mynah/kernel': '0.1.0', chokidar: '5.0.0' }, { '@mynah/plugin-unused': '0.1.0' }, { '@mynah/plugin-unused': { optional: true } })
    await pack('@mynah/kernel')
    await pack('@mynah/console')
    await pack('@mynah/plugin-introspection', {}, { '@mynah/plugin-chat': '0.1.0' })
    await pack('@mynah/plugin-chat')
    await pack('@mynah/plugin-workspace')
    await pack('@mynah/plugin-unused')
    const { code: made, out: said } = await create('b', '--no-install', '--from', 'packed')
    expect(made, said).to.equal(0)
    const { dependencies } = JSON.parse(await readFile(join(folder, 'b/package.json'), 'utf8')) as { dependencies: Record<string, string> }
    expect(dependencies['mynah']).to.equal('file:../packed/mynah-0.1.0.tgz')
    expect(Object.keys(dependencies)).to.deep.equal(['@mynah/console', '@mynah/kernel', '@mynah/plugin-chat', '@mynah/plugin-introspection', '@mynah/plugin-workspace', 'mynah'])
    const { code, out } = await create('c', '--no-install', '--from', 'packed', '--database')
    expect(code).to.equal(1)
    expect(out).to.contain('holds no tarball of @mynah/plugin-database')
    expect(await readdir(folder)).not.to.include('c')
  }).timeout(30_000)
})
