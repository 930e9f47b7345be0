// Installs packages that only one test or tool needs, when that test or tool runs. `npm ci` stays small and fast.
//
// Each folder in tools/on-demand holds a package.json and a package-lock.json. The packages go to .cache/on-demand.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './lib.mjs'

const SETS = join(root, 'tools', 'on-demand')
const CACHE = join(root, '.cache', 'on-demand')

/** Returns the folder of a set, named after its lock file: a changed set is installed again. */
function folderOf(set) {
  const lock = readFileSync(join(SETS, set, 'package-lock.json'))
  return join(CACHE, `${set}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`)
}

/**
 * Installs the packages of a package-lock.json in a new folder and renames that, or its node_modules, to `target`, so
 * that two processes can install the same at once.
 *
 * @param source folder with package.json and package-lock.json
 */
export async function installInto(target, source, name, part = '.') {
  mkdirSync(CACHE, { recursive: true })
  const work = mkdtempSync(join(CACHE, `.${name}-`))
  try {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(source, file), join(work, file))
    process.stderr.write(`installing ${name} …\n`)
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: work,
      maxBuffer: 16 * 1024 * 1024,
    })
    renameSync(join(work, part), target)
  } catch (error) {
    // Another process has installed the same in the meantime.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST')
      throw new Error(`failed to install ${name}: ${error.stderr || error.message}`, { cause: error })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Tells tools/suites.mjs that the current test file may start npm, also where the set is there. */
const uses = channel('mynah:test-uses')
/** The sets that are installed before the tests start. */
const isReady = (set) => (process.env.MYNAH_TEST_SETS ?? '').split(',').includes(set)

/** Installs a set of tools/on-demand where it is missing. Returns the folder that holds its node_modules. */
export async function onDemand(set) {
  if (!isReady(set)) uses.publish(`npm for ${set}`)
  const folder = folderOf(set)
  if (!existsSync(folder)) await installInto(folder, join(SETS, set), set)
  return folder
}

/** Returns the path of a module of a set. */
export async function resolveOnDemand(set, module) {
  return createRequire(join(await onDemand(set), 'package.json')).resolve(module)
}
