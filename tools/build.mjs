// Builds stale outputs: TypeScript, the bundled schema builder, the console, and the console pages of plugins.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { filesIn, fingerprint, isStale, markBuilt, root, run, workspaces } from './lib.mjs'

class BuildFailed extends Error {}

async function step(label, work) {
  const began = Date.now()
  process.stderr.write(`building ${label} …\n`)
  if ((await work()) !== 0) throw new BuildFailed(`building ${label} failed`)
  process.stderr.write(`built ${label} in ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
}

/** Folders of tests that are compiled on their own. */
const TEST_FOLDERS = ['console/test', 'test']

/** Returns whether the source of a compiled file exists. Its map names the source. */
function hasSource(dist, map) {
  const { sources } = JSON.parse(readFileSync(join(dist, map), 'utf8'))
  return sources.every((source) => existsSync(join(dist, dirname(map), source)))
}

/** Deletes compiled files without a source: they would still be tested and packed. */
function prune() {
  for (const folder of [...workspaces(), ...TEST_FOLDERS]) {
    const dist = join(root, folder, 'dist')
    if (!existsSync(join(dist, '.tsbuildinfo'))) continue
    for (const map of filesIn(dist, (file) => file.endsWith('.js.map'))) {
      if (hasSource(dist, map)) continue
      const stem = map.slice(0, -'.js.map'.length)
      for (const end of ['.js', '.js.map', '.d.ts', '.d.ts.map']) rmSync(join(dist, stem + end), { force: true })
      // The compiler does not write a file again while its record says that the file exists.
      for (const record of [dist, join(dist, 'client')]) rmSync(join(record, '.tsbuildinfo'), { force: true })
    }
  }
}

/** Compiles packages in parallel, each with one checker: two checkers compute the same types twice. */
const PARALLEL = ['--checkers', '1', '--builders', String(Math.min(4, availableParallelism()))]

/** Runs the compiler and reports the current package, because the first run takes long. */
function runCompiler(projects = []) {
  return new Promise((resolve, reject) => {
    const compiler = spawn(
      join(root, 'node_modules/.bin/tsc'),
      [
        ...['-b', ...PARALLEL, '--verbose', '--pretty', process.stderr.isTTY ? 'true' : 'false'],
        // The tests check it.
        ...(projects.length > 0 ? ['--noCheck', ...projects] : []),
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const progress = new Progress()
    createInterface({ input: compiler.stdout }).on('line', (line) => {
      const listed = /^\s{1,9}\* (.*)\/tsconfig\.json$/.exec(line)?.[1]
      const [, settled] = /Project '(.*)\/tsconfig\.json' is up to date/.exec(line) ?? []
      const [, project] = /Building project '(.*)\/tsconfig\.json'/.exec(line) ?? []
      if (listed) progress.add(listed)
      else if (settled) progress.settle(settled)
      else if (project) progress.begin(project)
      else if (line.trim() && !REPORT.test(line)) progress.say(line)
    })
    compiler.on('error', reject)
    compiler.on('close', (code, signal) => {
      progress.end()
      resolve(signal ? 1 : code)
    })
  })
}

/** Lines of the compiler about its own progress. */
const REPORT = /^(?:\S{0,9}\d\d:\d\d:\d\d\S{0,9}(?: [AP]M\S{0,9})? |\s{1,9}\* )/

/** Says which package is compiled, and on a terminal how long the rest will take, by the size of the sources. */
class Progress {
  #sizes = new Map()
  #begun = 0
  #current = 0
  #began = Date.now()

  add(project) {
    const sources = filesIn(join(root, project, 'src'), (file) => /\.tsx?$/.test(file))
    this.#sizes.set(
      project,
      sources.reduce((bytes, file) => bytes + statSync(join(root, project, 'src', file)).size, 1),
    )
  }

  settle(project) {
    this.#sizes.delete(project)
  }

  begin(project) {
    this.#begun += this.#current
    this.#current = this.#sizes.get(project) ?? 1
    const all = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const seconds = Math.ceil((((Date.now() - this.#began) / this.#begun) * (all - this.#begun)) / 1000)
    const rest = this.#begun > all / 20 ? `, about ${seconds} s left` : ''
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kcompiling ${project}${rest} …`)
    else process.stderr.write(`compiling ${project} …\n`)
  }

  say(line) {
    this.end()
    process.stderr.write(`${line}\n`)
  }

  end() {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  }
}

async function compile(projects) {
  prune()
  const began = Date.now()
  if ((await runCompiler(projects)) !== 0) throw new BuildFailed('the compiler found errors')
  const written = workspaces().some((workspace) => {
    const info = statSync(join(root, workspace, 'dist/.tsbuildinfo'), { throwIfNoEntry: false })
    return info !== undefined && info.mtimeMs >= began
  })
  if (written) process.stderr.write(`compiled in ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
}

async function bundleSchemas() {
  const inputs = fingerprint([['contract/dist', (file) => file === 'type.js'], ['contract/tools']])
  if (!isStale('schemas', inputs) && existsSync(join(root, 'contract/dist/type.bundle.js'))) return
  await step('the schema builder', () => run(process.execPath, ['contract/tools/bundle-type.mjs']))
  markBuilt('schemas', inputs)
}

const source = (file) => !/(^|\/)(dist|test|docs)\//.test(file) && !file.endsWith('.tsbuildinfo')
const compiled = (file) => file.endsWith('.js') && !file.endsWith('.test.js')

async function vite(folder, output) {
  const config = ['vite.config.ts', 'vite.config.js', 'vite.config.mjs'].find((name) =>
    existsSync(join(root, folder, name)),
  )
  if (!config) return
  // A page with packages of its own is built by its own script, which installs them.
  if (existsSync(join(root, folder, 'package.json')) && folder !== 'console') return
  const inputs = fingerprint([
    [folder, source],
    ['console/preset', source],
    ['sdk/dist', compiled],
    ['contract/dist', compiled],
  ])
  if (!isStale(folder, inputs) && existsSync(join(root, folder, output))) return
  await step(folder, () => run('vite', ['build', '--logLevel', 'warn'], { cwd: join(root, folder) }))
  markBuilt(folder, inputs)
}

/** Returns the folders of the packages that an example needs to run. */
function packagesOf(example) {
  const { dependencies } = readPackage(example)
  const folders = new Map(workspaces().map((folder) => [readPackage(folder).name, folder]))
  return Object.keys(dependencies).flatMap((name) => folders.get(name) ?? [])
}

const readPackage = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/**
 * Builds everything that is stale, or what an example needs to run, without a check of types. Prints nothing if nothing
 * is stale.
 */
export async function build(example) {
  const packages = example === undefined ? workspaces() : packagesOf(example)
  // Vite compiles the console.
  await compile(example === undefined ? [] : packages.filter((folder) => folder !== 'console'))
  await bundleSchemas()
  await vite('console', 'dist/index.html')
  for (const folder of packages) await vite(`${folder}/client`, 'dist/index.js')
}

/** Builds and prints the cause of a failure. Returns whether it succeeded. */
export async function tryBuild(example) {
  try {
    await build(example)
    return true
  } catch (error) {
    if (!(error instanceof BuildFailed)) throw error
    process.stderr.write(`${error.message}\n`)
    return false
  }
}

/** Builds. Ends the process on a failure. */
export async function buildOrExit(example) {
  if (!(await tryBuild(example))) process.exit(1)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildOrExit()
