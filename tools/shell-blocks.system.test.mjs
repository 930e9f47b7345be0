// Tests the commands that the documentation names: against the command line itself, and some of them by running them.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { answersFrom } from '../create-mynah/dist/answers.js'
import { parseCommandLine } from '../plugins/mynah/dist/cli/arguments.js'
import { pagesOf } from './docs.mjs'
import { root } from './lib.mjs'
import { commandsOfPage, createdBy, shellBlocks } from './shell-blocks.mjs'
import { freePort, TrialHost } from './trial.mjs'

const exec = promisify(execFile)
const MAIN = join(root, 'plugins/mynah/dist/cli/main.js')
const CREATE = join(root, 'create-mynah/bin/create-mynah.js')
const TOKEN = 'a-token-for-the-documentation'
/** Scripts of the projects that `npm create mynah` writes. */
const SCRIPTS_OF_PROJECTS = ['start', 'dev', 'test', 'doctor', 'build', 'peer']
/** Commands that are run here, because they are fast and change no other folder. */
const RUN_HERE = ['config', 'doctor', 'token', 'backup', 'reload', 'version', 'help']
/** Needs hosts that share a configuration: test/src/shared-configuration.system.test.ts runs it. */
const FOR_SEVERAL_HOSTS = 'config push'
const pages = pagesOf()
  .filter((page) => page !== 'CHANGELOG.md' && !page.startsWith('docs/adr/'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
const commands = pages.flatMap(({ name, text }) => commandsOfPage(text).map((words) => ({ name, words })))
const scriptsIn = (folder) => {
  const file = join(root, folder, 'package.json')
  return existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')).scripts ?? {}) : []
}

/** Checks of commands by their program; they throw for a mistake. */
const checks = {
  mynah: async (words) => void parseCommandLine(words),
  npx: async ([program, ...words], page) => (program === 'mynah' ? checks.mynah(words, page) : undefined),
  install: async (words) => {
    const missing = words
      .map((word) => word.replace(/(?<=.)@[\w.^-]+$/, ''))
      .find((word) => /^(?:@mynah\/|mynah$)/.test(word) && !existsSync(join(root, 'node_modules', word)))
    if (missing && missing !== '@mynah/plugin-name') throw new Error(`there is no package ${missing}`)
  },
  run: async ([script], page) => {
    if (!['.', dirname(page), 'console'].some((folder) => scriptsIn(folder).includes(script)))
      if (!SCRIPTS_OF_PROJECTS.includes(script)) throw new Error(`there is no script ${script}`)
  },
  npm: async ([command, ...words], page) => {
    const created = createdBy(['npm', command, ...words])
    if (created) return void (await answersFrom(created, undefined))
    if (command === 'install' || command === 'run') return checks[command](words, page)
    if (command === 'start' || command === 'test') return checks.run([command], page)
    if (!['ci', 'update', 'pack'].includes(command)) throw new Error(`npm ${command} is not known here`)
  },
  node: async (words, page) => {
    const file = words.find((word) => !word.startsWith('-'))
    if (![root, join(root, dirname(page))].some((folder) => existsSync(join(folder, file))))
      throw new Error(`there is no file ${file}`)
  },
  cp: async (words) => {
    const missing = words.slice(0, -1).find((word) => !existsSync(join(root, word)))
    if (missing) throw new Error(`there is no file ${missing}`)
  },
}

async function fault({ name, words: [program, ...words] }) {
  try {
    await checks[program]?.(words, name)
    return undefined
  } catch (error) {
    return `${name}: ${program} ${words.join(' ')}: ${error.message.split('\n')[0]}`
  }
}

describe('the commands of the documentation', function () {
  this.timeout(180_000)
  let folder
  let host
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mynah-commands-'))
  })
  afterEach(async () => {
    await host?.stop('SIGTERM')
    host = undefined
    rmSync(folder, { recursive: true, force: true })
  })

  it('are understood by the programs', async () => {
    expect(commands.length).to.be.above(100)
    expect((await Promise.all(commands.map(fault))).filter(Boolean)).to.deep.equal([])
  })

  it('that are wrong are found', async () => {
    const page = [
      'Run `npx mynah bakup`, `mynah start --port=1`, or `npm run nothing`.',
      '```sh',
      'npm create mynah bot a --yes # npm takes the option',
      'X=1 npm install @mynah/plugin-nothing && node tools/nothing.mjs',
      'npx mynah restore <folder> --database',
      '```',
      '',
    ].join('\n')
    const found = await Promise.all(commandsOfPage(page).map((words) => fault({ name: 'a.md', words })))
    expect(found.filter(Boolean)).to.have.length(6)
  })

  it('are blocks that a shell can read', async () => {
    for (const { name, text } of pages)
      for (const block of shellBlocks(text))
        await exec('bash', ['-nc', block.replaceAll(/<[\w ]+>/g, 'name')]).catch(({ stderr }) =>
          expect.fail(`${name}: ${stderr}${block}`),
        )
  })

  it('work on a host', async () => {
    const port = await freePort()
    // Some commands write to the folder above.
    const place = mkdtempSync(join(folder, 'host-'))
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
    writeFileSync(
      join(place, 'mynah.config.yml'),
      `plugins: [http-core, console-rpc, chat, adapter-sandbox]\nhttp: { port: ${port} }\n` +
        'endpoints: [{ adapter: sandbox, id: sandbox }]\n',
    )
    const env = { ...process.env, HTTP_TOKEN: TOKEN }
    const options = { cwd: place, env, origin: `http://127.0.0.1:${port}`, token: TOKEN }
    host = await new TrialHost(process.execPath, [MAIN, 'start'], options).healthy()
    const found = commands
      .map(({ words }) => words.slice(words[0] === 'npx' ? 1 : 0))
      .filter(([program, command]) => program === 'mynah' && RUN_HERE.includes(command))
      .map(([, ...words]) => words.filter((word) => word !== '-c' && !word.startsWith('/')).join(' '))
    const all = Array.from(new Set(found)).filter((words) => words !== FOR_SEVERAL_HOSTS)
    expect(all).to.include.members(['config check', 'doctor', 'token --show', 'backup', 'reload'])
    for (const words of all)
      await exec(process.execPath, [MAIN, ...words.split(' ')], { cwd: place, env }).catch(({ stdout, stderr, code }) =>
        expect.fail(`mynah ${words} ends with ${code}: ${stdout}${stderr}`),
      )
  })

  it('create the projects that they name', async () => {
    const all = commands.map(({ words }) => createdBy(words)).filter((words) => words?.length)
    expect(all.length).to.be.above(5)
    for (const words of all) {
      const place = mkdtempSync(join(folder, 'project-'))
      const options = ['--yes', '--no-install', '--no-start'].filter((option) => !words.includes(option))
      const { stdout } = await exec(process.execPath, [CREATE, ...words, ...options], { cwd: place })
      const [, into] = /files into (.+)$/m.exec(stdout)
      expect(existsSync(join(place, basename(into), 'package.json')), words.join(' ')).to.equal(true)
    }
  })
})
