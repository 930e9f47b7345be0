// Installs one packed plugin in an empty project, where it finds only what its manifest names, and uses it once.
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, output, TrialHost } from './trial.mjs'

const TOKEN = 'a-token-for-the-packed-host-only'

/**
 * Installs packages so that each finds only what its manifest names: npm links instead of hoisting. Scripts of packages
 * do not run; `built` has packages with compiled parts, which are copied.
 *
 * @param packages - tarballs and names with versions, as npm takes them
 * @param built - a `node_modules` where SQLite is compiled, or undefined
 */
export async function installIsolated(cwd, packages, built) {
  mkdirSync(cwd, { recursive: true })
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ name: 'alone', version: '1.0.0', private: true, type: 'module' }),
  )
  await output(
    'npm',
    ['install', '--install-strategy=linked', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'].concat(
      packages,
    ),
    { cwd },
  )
  if (built) copySqlite(join(cwd, 'node_modules/.store'), built)
}

/** Returns the names that are installed by {@link installIsolated}, though they should not be. */
export const installedOf = (cwd, names) =>
  readdirSync(join(cwd, 'node_modules/.store')).filter((entry) => names.some((name) => entry.startsWith(`${name}@`)))

/**
 * Compiles a text against the types of the installed packages.
 *
 * @throws with the output of the compiler
 */
export async function compile(cwd, text, root) {
  writeFileSync(join(cwd, 'uses.ts'), text)
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: false, noEmit: true },
    ...{ typeRoots: [join(root, 'node_modules/@types')], types: ['node', 'mocha'] },
  }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['uses.ts'] }))
  await output(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd })
}

function copySqlite(store, built) {
  const compiled = join(built, 'sqlite3/build')
  if (!existsSync(store) || !existsSync(compiled)) return
  for (const name of readdirSync(store).filter((entry) => entry.startsWith('sqlite3@')))
    cpSync(compiled, join(store, name, 'node_modules/sqlite3/build'), { recursive: true })
}

/**
 * Starts a host with one plugin in a project of its own, and uses the plugin.
 *
 * @param use - what to write and to try: `plugins`, `config` (a text, or a function of the address of a helper),
 * `files` by path, `before` (starts what the plugin talks to; returns an object with `stop`) and `run(host, helper)`
 * @throws with the output of the host, if the plugin cannot be used
 */
export async function usePlugin(cwd, { plugins, config = '', files = {}, before, run }) {
  const helper = await before?.()
  const origin = `http://127.0.0.1:${await freePort()}`
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), content)
  }
  writeFileSync(
    join(cwd, 'mynah.config.yml'),
    `plugins: [${plugins.join(', ')}]\nhttp: { port: ${new URL(origin).port}, token: "${TOKEN}" }\n${
      typeof config === 'function' ? config(helper) : config
    }`,
  )
  const host = new TrialHost(join(cwd, 'node_modules/.bin/mynah'), ['start'], { cwd, origin, token: TOKEN })
  try {
    await host.healthy()
    await run(host, helper)
    const code = await host.stop()
    if (code !== 0) throw new Error(`exit code ${code}`)
  } catch (error) {
    throw new Error(`${error.message}\n${host.said}`, { cause: error })
  } finally {
    await host.stop('SIGKILL')
    await helper?.stop()
  }
}
