import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { reasonOf } from './reasons.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CREATE = join(ROOT, 'create-mynah/bin/create-mynah.js')

/** Mistakes in a new configuration whose account is still to be written. */
const UNWRITTEN: Readonly<Record<string, RegExp>> = {
  'adapter: dingtalk': /\.clientId .*\n.*\n.*\.clientSecret .*\n.*\n2 errors, 0 warnings/,
  'adapter: discord': /endpoints\[1\]\.token .{0,80} of the Developer Portal\n.*\n1 error, 0 warnings/,
  'adapter: telegram': /endpoints\[1\]\.token .{0,80} from @BotFather\n.*\n1 error, 0 warnings/,
  'adapter: lark': /\.appId .*\n.*\n.*\.appSecret .*\n.*\n2 errors, 0 warnings/,
  'adapter: slack': /\.botToken .*\n.*\n.*\.appToken .*\n.*\n2 errors, 0 warnings/,
  'adapter: mail': /\.imap .*\n.*\n.*\.smtp .*\n.*\n.*\.user .*\n.*\n.*\.password .*\n.*\n.*\.allow.*\n.*\n5 errors, 0/,
  'adapter: matrix': /\.user .*\n.*\n.*\.password .*\n.*\n2 errors, 0 warnings/,
  'adapter: xmpp': /\.jid .*\n.*\n.*\.password .*\n.*\n2 errors, 0 warnings/,
}

interface Result {
  readonly code: number
  readonly out: string
}

describe('npm create mynah', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'create-mynah-'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const run = async (
    program: string,
    args: readonly string[],
    cwd = folder,
    env: Record<string, string> = {},
  ): Promise<Result> => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
        cwd,
        env: { ...process.env, ...env },
      })
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
    [['bot', 'ding', '--platform', 'dingtalk'], 'ding', 'adapter: dingtalk'],
    [['bot', 'dc', '--platform', 'discord'], 'dc', 'adapter: discord'],
    [['bot', 'fei', '--platform', 'lark'], 'fei', 'adapter: lark'],
    [['bot', 'post', '--platform', 'mail'], 'post', 'adapter: mail'],
    [['bot', 'mx', '--platform', 'matrix'], 'mx', 'adapter: matrix'],
    [['bot', 'jabber', '--platform', 'xmpp'], 'jabber', 'adapter: xmpp'],
    [['bot', 'slk', '--platform', 'slack'], 'slk', 'adapter: slack'],
    [['bot', 'tg', '--platform=telegram'], 'tg', 'adapter: telegram'],
    [['bot', 'qq', '--platform', 'onebot'], 'qq', 'adapter: onebot'],
    [['bot', 'hook', '--platform', 'webhook'], 'hook', 'adapter: webhook'],
    [['bot', 'thinker', '--model', 'anthropic'], 'thinker', 'sdk: anthropic'],
    [['plugin', 'mynah-plugin-hello', '--page'], 'mynah-plugin-hello', './src/index.ts'],
    [['adapter', 'mynah-plugin-line'], 'mynah-plugin-line', 'adapter: line'],
  ] as const) {
    it(`${args.join(' ')} creates a project that compiles and has a valid configuration`, async function () {
      this.timeout(60_000)
      const { code, out } = await create(...args, '--no-install')
      expect(code, out).to.equal(0)
      expect(out).to.contain(`cd ${name}\n  npm install\n`).and.to.contain('npm start')
      if (name === 'hook') expect(out).to.contain('npm run peer, then /help\n')
      if (name === 'slk') expect(out).to.contain('On Slack, in a private chat with the bot: !help\n')
      if (name === 'mx') expect(out).to.contain('invite the bot, then !help\n')
      if (name === 'irc-bot') expect(out).to.contain('On IRC, in #mynah-bots: !help\n')
      const project = join(folder, name)
      expect(await readdir(project)).to.include.members([
        'README.md',
        '.gitignore',
        'package.json',
        'tsconfig.json',
        'mynah.config.yml',
      ])
      expect(await readFile(join(project, 'mynah.config.yml'), 'utf8')).to.contain(has)
      expect(
        (await run(join(ROOT, 'node_modules/typescript/bin/tsc'), ['-p', '.', '--singleThreaded'], project)).out,
      ).to.equal('')
      const checked = await run(join(ROOT, 'plugins/mynah/bin/mynah.js'), ['config', 'check'], project)
      const unwritten = UNWRITTEN[has]
      if (unwritten) expect(checked.out).to.match(unwritten)
      else expect(checked).to.deep.equal({ code: 0, out: 'mynah.config.yml is in order\n' })
    })
  }

  it('writes a page that "mynah dev --open" can open before it is loaded', async function () {
    this.timeout(60_000)
    await create('plugin', 'mynah-plugin-hello', '--page', '--no-install')
    const project = join(folder, 'mynah-plugin-hello')
    const built = await run(join(ROOT, 'node_modules/vite/bin/vite.js'), ['build', 'client'], project)
    expect(built.code, built.out).to.equal(0)
    const manifest: unknown = JSON.parse(await readFile(join(project, 'client/dist/manifest.json'), 'utf8'))
    const routes = [{ path: '/hello', name: 'Hello', meta: { group: 'extensions' } }]
    expect(manifest).to.deep.equal({ routes, tools: [] })
    expect(await readFile(join(project, 'client/src/index.tsx'), 'utf8')).to.contain("addRoute({ path: '/hello'")
  })

  it('writes a bot whose test passes, without a build', async function () {
    this.timeout(60_000)
    await create('my-bot', '--no-install')
    const { scripts } = JSON.parse(await readFile(join(folder, 'my-bot/package.json'), 'utf8')) as {
      scripts: { test: string }
    }
    const [program, ...args] = scripts.test.split(' ')
    expect(program).to.equal('node')
    const { code, out } = await run(args[0] as string, args.slice(1), join(folder, 'my-bot'))
    expect(code, out).to.equal(0)
    expect(out).to.contain('pass 1')
  })

  it('is the same as mynah new', async () => {
    const { code, out } = await run(join(ROOT, 'plugins/mynah/bin/mynah.js'), [
      'new',
      'plugin',
      'mynah-plugin-x',
      '--no-install',
      '--yes',
    ])
    expect(code, out).to.equal(0)
    expect(await readFile(join(folder, 'mynah-plugin-x/src/index.ts'), 'utf8')).to.contain("name: 'x'")
  })

  it('refuses a folder that is not empty, and leaves it unchanged', async () => {
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full/mine.txt'), 'mine')
    const { code, out } = await create('full', '--no-install')
    expect(code).to.equal(1)
    expect(out).to.equal('full is not empty; name another folder\n')
    expect(await readdir(join(folder, 'full'))).to.deep.equal(['mine.txt'])
    expect((await readdir(folder)).sort()).to.deep.equal(['full', 'node_modules'])
  })

  it('reports in one line why a folder cannot be written, and removes it', async () => {
    await writeFile(join(folder, 'file'), '')
    for (const [name, says] of [
      ['file', 'a part of its path is a file'],
      ['file/x', 'a part of its path is a file'],
      [`${'x'.repeat(256)}/b`, 'its name is too long'],
    ] as const) {
      const { code, out } = await create(name, '--no-install')
      expect([code, out.split('\n').length], out).to.deep.equal([1, 2])
      expect(out).to.contain(says).and.to.contain('; name another folder')
    }
    expect((await readdir(folder)).sort()).to.deep.equal(['file', 'node_modules'])
    for (const [code, says] of [
      ['EACCES', 'you may not write there'],
      ['EROFS', 'read-only'],
      ['ENOSPC', 'the disk is full'],
      ['EIO', 'the system says EIO'],
    ] as const)
      expect(reasonOf(Object.assign(new Error(code), { code, syscall: 'open' }))).to.contain(says)
    expect(reasonOf(new Error('of something else'))).to.equal(undefined)
  })

  it('creates folders with the permissions of the umask', async () => {
    await create('b', '--no-install')
    await mkdir(join(folder, 'other'))
    expect((await stat(join(folder, 'b'))).mode).to.equal((await stat(join(folder, 'other'))).mode)
  })

  it('describes the next step when the registry is unreachable', async () => {
    const { code, out } = await run(CREATE, ['b', '--yes'], folder, {
      npm_config_offline: 'true',
      npm_config_cache: join(folder, 'cache'),
    })
    expect(code).to.equal(1)
    expect(out)
      .to.contain('The registry of npm was not reached')
      .and.to.contain('  npm install\n')
      .and.not.to.match(/\n.* {4}at /)
  }).timeout(60_000)

  it('leaves a complete project on Ctrl-C, and describes how to continue', async () => {
    // A registry that never answers.
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const child = spawn(process.execPath, [CREATE, 'b', '--yes'], {
      cwd: folder,
      detached: true,
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
        npm_config_cache: join(folder, 'cache'),
      },
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
    const ended = once(child, 'close')
    await once(silent, 'request')
    process.kill(-(child.pid as number), 'SIGINT')
    expect((await ended)[0], out).to.equal(130)
    silent.closeAllConnections()
    silent.close()
    expect(out)
      .to.contain('Stopped. The project is written, its packages are not installed yet.')
      .and.to.contain('  cd b\n  npm install\n')
    expect(await readdir(join(folder, 'b'))).to.include.members(['package.json', 'mynah.config.yml', 'plugins'])
  }).timeout(60_000)

  it('writes into an empty folder, and into one that holds only a new repository', async () => {
    await mkdir(join(folder, 'new/.git'), { recursive: true })
    await mkdir(join(folder, 'empty'))
    expect((await create('new', '--no-install')).code).to.equal(0)
    expect((await create('empty', '--no-install')).code).to.equal(0)
    expect(await readdir(join(folder, 'new'))).to.include.members(['.git', 'plugins', '.gitignore'])
  })

  for (const [args, says] of [
    [['bot', 'a', 'b'], 'Too many words: a b'],
    [['bto', 'a'], '"bto" is none of bot, plugin, adapter'],
    [['--nonesuch'], "Unknown option '--nonesuch'"],
    [
      ['x', '--platform', 'fax'],
      '--platform must be one of sandbox, dingtalk, discord, irc, lark, mail, matrix, onebot, slack, telegram, webhook, xmpp, not "fax"',
    ],
    [
      ['x', '--model', 'oracle'],
      '--model must be one of none, openai, anthropic, google, deepseek, ollama, compatible',
    ],
    [['plugin', 'x', '--database'], '--database belongs to a bot, not to a plugin'],
    [['x', '--page'], '--page belongs to a plugin, not to a bot'],
    [['../1'], 'makes no name for a package'],
  ] as const) {
    it(`reports the mistake in ${args.join(' ')}`, async () => {
      const { code, out } = await create(...args, '--no-install')
      expect(code).to.equal(64)
      expect(out).to.contain(says).and.not.to.contain('    at ')
    })
  }

  it('installs packages and their dependencies from a folder of tarballs', async () => {
    await mkdir(join(folder, 'packed'))
    const pack = async (
      name: string,
      dependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    ): Promise<void> => {
      const at = join(folder, 'work', name)
      await mkdir(at, { recursive: true })
      await writeFile(
        join(at, 'package.json'),
        JSON.stringify({ name, version: '0.1.0', dependencies, peerDependencies, peerDependenciesMeta }),
      )
      await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', join(folder, 'packed')], { cwd: at })
    }
    await pack(
      'mynah',
      { '@mynah/kernel': '0.1.0', chokidar: '5.0.0' },
      { '@mynah/plugin-unused': '0.1.0' },
      { '@mynah/plugin-unused': { optional: true } },
    )
    await pack('@mynah/kernel')
    await pack('@mynah/console')
    await pack('@mynah/plugin-introspection', {}, { '@mynah/plugin-chat': '0.1.0' })
    await pack('@mynah/plugin-chat')
    await pack('@mynah/plugin-workspace')
    await pack('@mynah/plugin-unused')
    const { code: made, out: said } = await create('b', '--no-install', '--from', 'packed')
    expect(made, said).to.equal(0)
    const { dependencies } = JSON.parse(await readFile(join(folder, 'b/package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    expect(dependencies['mynah']).to.equal('file:../packed/mynah-0.1.0.tgz')
    expect(Object.keys(dependencies)).to.deep.equal([
      '@mynah/console',
      '@mynah/kernel',
      '@mynah/plugin-chat',
      '@mynah/plugin-introspection',
      '@mynah/plugin-workspace',
      'mynah',
    ])
    const { code, out } = await create('c', '--no-install', '--from', 'packed', '--database')
    expect(code).to.equal(1)
    expect(out).to.contain('holds no tarball of @mynah/plugin-database')
    expect(await readdir(folder)).not.to.include('c')
  }).timeout(30_000)
})
