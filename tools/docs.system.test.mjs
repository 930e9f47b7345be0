// Tests the documentation: code compiles, its tests pass, and links and pictures exist.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { checkFile } from '@mynah/kernel/loader'
import { HOST_KEYS } from '../plugins/mynah/dist/cli/host-keys.js'
import { filesOf } from './code-of-pages.mjs'
import { root, workspaces } from './lib.mjs'
import { SOURCE } from './manifests.mjs'

const exec = promisify(execFile)
const { transformSync: stripTypes } = createRequire(join(root, 'plugins/mynah/package.json'))('@swc/wasm-typescript')
/** Blocks of YAML that are configurations of a host, and not of other programs. */
const SECTION = /^(?:plugins|endpoints|ai|http|commands|cron|database|assistant|chat|dispatcher|renderer|inbox):/m
const ALL_PLUGINS = `plugins: [${readdirSync(join(root, 'plugins'))
  .filter((name) => name !== 'mynah' && existsSync(join(root, 'plugins', name, 'package.json')))
  .join(', ')}]\n`
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...workspaces().map((folder) => `${folder}/README.md`),
  'examples/recipes/README.md',
].filter((page) => existsSync(join(root, page)))

/** Returns the fragment that addresses use for a heading. */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

describe('documentation', () => {
  for (const page of [
    'docs/plugins.md',
    'database-api/README.md',
    'plugins/database/README.md',
    'plugins/ai/README.md',
  ])
    it(`has code that compiles and tests that pass: ${page}`, async function () {
      this.timeout(120_000)
      mkdirSync(join(root, '.cache'), { recursive: true })
      const folder = mkdtempSync(join(root, '.cache', 'docs-'))
      try {
        const text = readFileSync(join(root, page), 'utf8')
        const files = filesOf(text)
        expect(files.length, 'every block of code names its file').to.equal(text.match(/^```(ts|js)$/gm).length)
        for (const { name, code } of files) writeFileSync(join(folder, name), code)
        writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
        writeFileSync(
          join(folder, 'tsconfig.json'),
          JSON.stringify({
            extends: '../../tsconfig.base.json',
            compilerOptions: {
              composite: false,
              declaration: false,
              declarationMap: false,
              rootDir: '.',
              outDir: 'dist',
            },
            include: ['*.ts'],
          }),
        )
        const run = (program, ...args) =>
          exec(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: folder }).catch(
            ({ stdout, stderr }) => {
              throw new Error(stdout + stderr)
            },
          )
        await run('typescript/bin/tsc', '-p', '.')
        const { stdout } = await run(
          'mocha/bin/mocha.js',
          '--no-config',
          '--timeout',
          '60000',
          ...files.filter(({ name }) => name.includes('.test.')).map(({ name }) => `dist/${name.replace(/ts$/, 'js')}`),
        )
        expect(stdout)
          .to.match(/[1-9]\d* passing/)
          .and.not.to.match(/pending|failing/)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })

  it('has code that can be parsed on every page', () => {
    const broken = []
    for (const page of pages)
      for (const [, code] of readFileSync(join(root, page), 'utf8').matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm))
        try {
          stripTypes(code, { mode: 'strip-only', filename: `${page}.ts`, module: true })
        } catch (error) {
          broken.push(`${page}: ${error.message ?? error}: ${code.slice(0, 60)}`)
        }
    expect(broken).to.deep.equal([])
  })

  it('has configurations that a host accepts', async function () {
    this.timeout(120_000)
    const folder = mkdtempSync(join(root, '.cache', 'docs-'))
    const broken = []
    try {
      for (const page of pages.filter((name) => /^(?:README|docs\/)/.test(name)))
        for (const [, yaml] of readFileSync(join(root, page), 'utf8').matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)) {
          if (!SECTION.test(yaml)) continue
          writeFileSync(join(folder, 'mynah.config.yml'), /^plugins:/m.test(yaml) ? yaml : `${ALL_PLUGINS}${yaml}`)
          // Every variable that a page names has a value.
          const named = Array.from(yaml.matchAll(/\$\{(\w+)/g), ([, name]) => [name, '1234567890123456'])
          const problems = await checkFile(join(folder, 'mynah.config.yml'), {
            env: Object.fromEntries(named),
            keys: HOST_KEYS,
            bases: [join(root, 'plugins/mynah')],
          })
          for (const { code, message, severity } of problems)
            if (severity === 'error' && !code?.startsWith('plugin/')) broken.push(`${page}: ${message}`)
        }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    expect(broken).to.deep.equal([])
  })

  it('has data that can be parsed', () => {
    for (const page of pages) {
      for (const [, json] of readFileSync(join(root, page), 'utf8').matchAll(/^```json\n([\s\S]*?)^```$/gm))
        expect(() => JSON.parse(json), `${page}: ${json}`).not.to.throw()
    }
  })

  it('has links that lead somewhere', () => {
    const broken = []
    for (const page of pages) {
      const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
      for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        const ours = SOURCE !== undefined && target.startsWith(SOURCE)
        if (!ours && /^[a-z]+:/.test(target)) continue
        const [path, heading] = (ours ? target.slice(SOURCE.length) : target).split('#')
        const file = path ? resolve(root, ours ? '.' : dirname(page), path) : join(root, page)
        if (!existsSync(file)) broken.push(`${page}: ${target}`)
        else if (
          heading &&
          !Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, title]) => anchor(title)).includes(
            heading,
          )
        )
          broken.push(`${page}: ${target}`)
      }
    }
    expect(broken).to.deep.equal([])
  })
})
