// Packs every public package, checks the tarballs as registries and compilers do, installs them in empty folders
// outside of the workspace, and runs a host there.
//
//   node tools/check-packed.mjs --each                uses each plugin alone instead
//   node tools/check-packed.mjs --each cron memory    uses these plugins alone
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesOf } from './code-of-pages.mjs'
import { filesIn, root } from './lib.mjs'
import { compile, installedOf, installIsolated, usePlugin } from './packed-plugin.mjs'
import { importFaults } from './check-imports.mjs'
import { faultLines, packedFiles, publicPackages } from './packages.mjs'
import { absentWith, packagesOf, USES } from './packed-uses.mjs'
import { closure, licenceFaults, lintTarballs, tarballOf, unasked } from './published.mjs'
import { CheckFailed, Checks, freePort, output, TrialHost } from './trial.mjs'

const BOT = `import { commands, defineCommand, definePlugin, param } from 'mynah'
export default definePlugin({
  name: 'bot',
  setup(ctx) {
    ctx.contribute(commands, defineCommand({ name: 'hello', description: 'Greets', args: { name: param.rest({ default: 'world' }) }, run: ({ args }) => \`Hello, \${args.name}!\` }))
  },
})
`
/** Files into which everything that they import was bundled. */
const BUNDLES = /^(client\/dist|dist\/assets)\//
/** The compiler names it in declarations that infer a type; the sources import it from @mynah/contract/type. */
const INFERRED = ['typebox']
const TOKEN = 'a-token-for-the-packed-host-only'
const folder = mkdtempSync(join(tmpdir(), 'mynah-packed-'))
const packed = join(folder, 'packed')
const checks = new Checks()
let host

const none = (faults) => {
  if (faults.length) throw new Error(faults.join('\n'))
}

/** Installs tarballs into a new folder. */
async function install(name, tarballs, manifest = {}) {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', private: true, type: 'module', ...manifest }),
  )
  await output('npm', ['install', '--no-audit', '--no-fund', ...tarballs.map((file) => join(packed, file))], { cwd })
  return cwd
}

/** Starts a host from the packages that are installed in a folder, and talks to it. */
async function checkHost(outside) {
  const origin = `http://127.0.0.1:${await freePort()}`
  await checks.check('a host starts from them', async () => {
    writeFileSync(join(outside, 'bot.js'), BOT)
    writeFileSync(
      join(outside, 'mynah.config.yml'),
      [
        'plugins: [http-core, console-rpc, events, entries, management, chat, adapter-sandbox, database, inbox, ./bot.js]',
        `http: { port: ${new URL(origin).port}, token: "${TOKEN}" }`,
        'endpoints: [{ adapter: sandbox, id: sandbox }]\n',
      ].join('\n'),
    )
    host = new TrialHost(join(outside, 'node_modules/.bin/mynah'), ['start'], { cwd: outside, origin, token: TOKEN })
    await host.healthy()
  })
  await checks.check('a command gets its reply', () => host.chat('/hello packages', 'Hello, packages!'))
  await checks.check('the host stops cleanly', async () => {
    const code = await host.stop()
    if (code !== 0) throw new Error(`exit code ${code}\n${host.said}`)
  })
}

/** Returns the texts of the code and types in a tarball by path, without what was bundled. */
function codeIn(tarball) {
  const place = mkdtempSync(join(folder, 'code-'))
  execFileSync('tar', ['xzf', tarball, '-C', place])
  return filesIn(join(place, 'package'), (file) => /\.[mc]?[jt]s$/.test(file) && !BUNDLES.test(file)).map((file) => [
    file,
    readFileSync(join(place, 'package', file), 'utf8'),
  ])
}

/** Returns what `mynah publish-check` would fix in the packed packages. */
async function publishFaults(packages) {
  const { checkTarball } = await import('../plugins/mynah/dist/cli/publish/check.js')
  const faults = []
  for (const { folder: at, manifest } of packages) {
    const work = mkdtempSync(join(folder, 'publish-'))
    const tarball = join(packed, tarballOf(manifest))
    const project = join(root, at)
    const config = join(project, 'mynah.config.yml')
    const { rules } = await checkTarball({ project, tarball, work, config, host: manifest.version })
    faults.push(...faultLines(manifest.name, rules))
    rmSync(work, { recursive: true, force: true })
  }
  return faults
}

/** Uses plugins, by default each, in a project with nothing but what its manifest names. Two at a time. */
async function checkEachAlone(packages, names) {
  const all = packages.filter(({ folder: at, manifest }) => at.startsWith('plugins/') && manifest.name !== 'mynah')
  const plugins = names.length ? names.map((name) => `@mynah/plugin-${name}`) : all.map(({ manifest }) => manifest.name)
  const byName = new Map(packages.map(({ manifest }) => [manifest.name, manifest]))
  await checks.check('a use is known of every plugin', () =>
    none(plugins.filter((name) => !USES[name]).map((name) => `${name} has no use in tools/packed-uses.mjs`)),
  )
  const worker = async () => {
    for (let name = plugins.shift(); name; name = plugins.shift()) {
      const cwd = join(folder, 'alone', name.replace('/', '-'))
      await checks.check(`${name} alone in an empty project`, async () => {
        const ours = new Set(packagesOf(name, USES[name]).flatMap((one) => closure(packages, one, { peers: true })))
        const tarballs = Array.from(ours, (one) => join(packed, tarballOf(byName.get(one))))
        await installIsolated(cwd, [...tarballs, ...(USES[name].packages ?? [])], join(root, 'node_modules'))
        const { types } = USES[name]
        none(installedOf(cwd, absentWith(USES[name])).map((entry) => `${entry} is installed`))
        if (types) await compile(cwd, types, root)
        await usePlugin(cwd, USES[name])
      })
      rmSync(cwd, { recursive: true, force: true })
    }
  }
  const ended = await Promise.allSettled([worker(), worker()])
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

async function main() {
  const packages = publicPackages()
  await checks.check(`${packages.length} packages can be packed`, () => {
    mkdirSync(packed)
    packedFiles(packages, ['--pack-destination', packed])
  })
  if (process.argv[2] === '--each') return checkEachAlone(packages, process.argv.slice(3))
  await checks.check('"mynah publish-check" finds nothing to fix, and each plugin loads twice', async () =>
    none(await publishFaults(packages)),
  )
  const tarballs = readdirSync(packed)
  await checks.check('their entries and types resolve for those who import them', async () =>
    none(await lintTarballs(tarballs.map((file) => join(packed, file)))),
  )
  await checks.check('their manifests name every package that their code and types import', () =>
    none(
      packages.flatMap(({ manifest }) => importFaults(manifest, codeIn(join(packed, tarballOf(manifest))), INFERRED)),
    ),
  )
  await checks.check('mynah alone brings no models, no MCP, no zod and nothing native', async () => {
    const names = closure(packages, 'mynah')
    const cwd = await install(
      'alone',
      packages.filter(({ manifest }) => names.includes(manifest.name)).map(({ manifest }) => tarballOf(manifest)),
    )
    none(unasked(join(cwd, 'node_modules')))
    const said = await output(join(cwd, 'node_modules/.bin/mynah'), ['version'], { cwd })
    if (!/^\d+\.\d+\.\d+\s*$/.test(said)) throw new Error(said)
  })
  const outside = await checks.check('the packed packages install together', () =>
    install('outside', tarballs, { allowScripts: { sqlite3: true } }),
  )
  await checks.check('all that is installed with them asks only to be named', () =>
    none(licenceFaults(join(outside, 'node_modules'))),
  )
  await checks.check('a list of all parts can be made', async () => {
    const { components } = JSON.parse(
      await output('npm', ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'silent'], { cwd: outside }),
    )
    if (!components.some(({ name }) => name === 'kernel' || name === '@mynah/kernel'))
      throw new Error('the kernel is not in it')
  })
  await checks.check(
    'a plugin that asks a model compiles and passes its test, as the page of models shows it',
    async () => {
      const files = filesOf(readFileSync(join(root, 'plugins/ai/README.md'), 'utf8'))
      for (const { name, code } of files) writeFileSync(join(outside, name), code)
      const compilerOptions = {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        skipLibCheck: false,
        rootDir: '.',
        outDir: 'dist',
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['node', 'mocha'],
      }
      writeFileSync(
        join(outside, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, include: files.map(({ name }) => name) }),
      )
      await output(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: outside })
      const said = await output(
        process.execPath,
        [join(root, 'node_modules/mocha/bin/mocha.js'), '--no-config', 'dist/*.test.js'],
        { cwd: outside },
      )
      if (!/[1-9]\d* passing/.test(said)) throw new Error(said)
    },
  )
  await checkHost(outside)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CheckFailed)) throw error
} finally {
  await host?.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = checks.finish()
