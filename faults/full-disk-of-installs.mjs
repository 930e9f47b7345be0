// Installs on a disk that is full, or becomes full meanwhile: the packages stay those of before, the reason is shown,
// and with room again the same installation succeeds.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PackageEngine } from '../plugins/mynah/dist/cli/packages/engine.js'
import { PackageProject, pluginVersion } from '../plugins/mynah/dist/test/package-project.js'
import { inFolder, rowOf, runIfMain } from './lib/lives.mjs'

const exec = promisify(execFile)
const FAULT = 'the disk is full while installing'
const DISK = 48 * 1024 * 1024
/** More than the disk holds, though the registry says that it is small. */
const LARGE = DISK
/** Leaves less than an installation asks for. */
const BALLAST = 30 * 1024 * 1024

async function install(engine, name) {
  const { planId } = await engine.plan({ add: [name] })
  return engine.ended(engine.apply(planId, { by: 'fault' }))
}

/** Returns what is wrong after an installation that must fail for want of room. */
function faultsOf(what, run, before, after) {
  return [
    ...(['failed', 'refused'].includes(run.state) ? [] : [`${what}: the run is ${run.state}`]),
    ...(/disk/.test(run.message ?? '') ? [] : [`${what}: the reason is ${run.message}`]),
    ...(before === after ? [] : [`${what}: package.json has changed`]),
  ]
}

async function round(disk) {
  process.env.TMPDIR = disk
  const project = await PackageProject.create()
  const engine = new PackageEngine(project.folder, { warn: () => {} })
  const manifest = () => readFile(join(project.folder, 'package.json'), 'utf8')
  try {
    const large = pluginVersion('mynah-plugin-large', '1.0.0')
    const content = randomBytes((LARGE * 3) / 4).toString('base64')
    project.registry.publish({ ...large, files: { ...large.files, 'large.txt': content } })
    const before = await manifest()
    const wrong = faultsOf('meanwhile', await install(engine, 'mynah-plugin-large'), before, await manifest())
    await rm(join(project.folder, 'cache'), { recursive: true, force: true })
    const ballast = join(disk, 'ballast')
    await writeFile(ballast, Buffer.alloc(BALLAST))
    wrong.push(...faultsOf('before', await install(engine, 'mynah-plugin-dice'), before, await manifest()))
    await rm(ballast)
    const { state, message } = await install(engine, 'mynah-plugin-dice')
    if (state !== 'done') wrong.push(`with room again: ${state} ${message}`)
    return wrong
  } finally {
    await engine.close()
    await project.remove()
  }
}

/** Runs the rounds and prints one row. Returns the row. */
export async function run({ rounds = 2 } = {}) {
  if (process.getuid?.() !== 0) return rowOf(FAULT, rounds, [], 'not tried: only root can mount a small file system')
  const before = process.env.TMPDIR
  const wrong = await inFolder(async (folder) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    await exec('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk])
    try {
      const found = []
      for (let count = 0; count < rounds; count++) found.push(...(await round(disk)))
      return found
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
      await exec('umount', [disk])
    }
  })
  return rowOf(FAULT, rounds, wrong, 'the old packages each time, and the new ones with room again')
}

await runIfMain(import.meta.url, run)
