import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { arch, cpus, freemem, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownVersion } from '../commands/help.js'
import { filesBelow } from '../backup/files-below.js'
import type { InstalledPackage } from './packages.js'
import { HIDDEN, type Reducer } from './reduce-text.js'

const NPM_TIMEOUT_MS = 20_000
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}\S{0,40}$/

/** Returns the versions of everything that a host consists of. */
export async function versions(packages: readonly InstalledPackage[]): Promise<object> {
  return {
    mynah: ownVersion(),
    node: process.versions.node,
    npm: await npmVersion(),
    os: `${platform()} ${release()} ${arch()}`,
    container: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    packages: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
  }
}

async function npmVersion(): Promise<string> {
  const windows = platform() === 'win32'
  const found = await promisify(execFile)(windows ? 'npm.cmd' : 'npm', ['--version'], {
    timeout: NPM_TIMEOUT_MS,
    shell: windows,
  }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
  return VERSION.test(found) ? found : 'not found'
}

/** Returns the size of the machine, and of the data of a host by the first folder. */
export async function sizes(root: string, reducer: Reducer): Promise<object> {
  const disk = await statfs(root)
  return {
    cpus: cpus().length,
    memory: { total: totalmem(), free: freemem() },
    disk: { total: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize },
    data: await dataSizes(join(root, 'data'), reducer),
  }
}

async function dataSizes(data: string, reducer: Reducer): Promise<Record<string, { files: number; bytes: number }>> {
  const found: Record<string, { files: number; bytes: number }> = {}
  for (const name of existsSync(data) ? await readdir(data) : []) {
    const path = join(data, name)
    const size = await sizeOf(path)
    const shown = reducer.word(name) === HIDDEN ? 'others' : name
    const before = found[shown] ?? { files: 0, bytes: 0 }
    found[shown] = { files: before.files + size.files, bytes: before.bytes + size.bytes }
  }
  return found
}

/** A file that a running host removes meanwhile does not count. */
async function sizeOf(path: string): Promise<{ files: number; bytes: number }> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return { files: found ? 1 : 0, bytes: found?.size ?? 0 }
  const files = await filesBelow(path).catch(() => [])
  let bytes = 0
  for (const file of files) bytes += (await stat(file).catch(() => undefined))?.size ?? 0
  return { files: files.length, bytes }
}
