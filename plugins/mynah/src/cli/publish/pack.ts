// Packs a project as npm publishes it, and unpacks it where it finds only the packages that its manifest names.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { mkdir, realpath, rename, symlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { isRecord } from '@mynah/contract'
import { EXIT } from '../exit-codes.js'
import { npmProgram } from '../packages/npm.js'
import { UserError } from '../user-error.js'
import type { PackedPackage } from './file-rules.js'
import { rangesIn } from './manifest-rules.js'
import type { Manifest } from './rule-result.js'

const MAX_OUTPUT = 64 * 1024 * 1024
const MAX_SHOWN = 4_000
const REQUIRED = ['dependencies', 'peerDependencies'] as const

const run = promisify(execFile)
const failed = (message: string, remedy: string, cause?: unknown): UserError =>
  new UserError(message, { exitCode: EXIT.failure, remedy, cause })

/**
 * Reads the manifest of a project.
 *
 * @throws UserError where there is none
 */
export function readManifest(project: string): Manifest {
  let values: unknown
  try {
    values = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  } catch (error) {
    throw failed('package.json cannot be read', 'Run it in the folder of the package', error)
  }
  if (!isRecord(values) || typeof values['name'] !== 'string' || typeof values['version'] !== 'string')
    throw failed('package.json names no package and version', 'Write name and version to it')
  return values as Manifest
}

/**
 * Packs a project with its own scripts, as `npm publish` does.
 *
 * @returns the path of the tarball
 * @throws UserError with the output of npm
 */
export async function packProject(project: string, into: string): Promise<string> {
  const [program, ...before] = npmProgram()
  await mkdir(into, { recursive: true })
  try {
    await run(program, [...before, 'pack', '--loglevel=error', '--pack-destination', into], {
      cwd: project,
      maxBuffer: MAX_OUTPUT,
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw failed(
      `the package cannot be packed:\n${`${stdout}${stderr}`.trim().slice(-MAX_SHOWN)}`,
      'Run: npm pack',
      error,
    )
  }
  const [tarball] = readdirSync(into).filter((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw failed('npm made no tarball', 'Run: npm pack')
  return join(into, tarball)
}

/** Unpacks a tarball to a `node_modules` in `folder`. */
export async function unpack(project: string, tarball: string, folder: string): Promise<PackedPackage> {
  const raw = join(folder, 'raw')
  await mkdir(raw, { recursive: true })
  try {
    await run('tar', ['-xzf', tarball, '-C', raw])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw failed('the program "tar" is not installed', 'Install it: a package is checked as it is unpacked', error)
    throw error
  }
  const source = readManifest(join(raw, 'package'))
  const target = join(folder, 'node_modules', source.name)
  await mkdir(dirname(target), { recursive: true })
  await rename(join(raw, 'package'), target)
  const files = readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(target, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  return { manifest: source, project, bytes: statSync(tarball).size, folder: target, files }
}

/**
 * Links the packages that the manifest names next to an unpacked one.
 *
 * @throws UserError where a required one is not installed in the project
 */
export async function linkNamed({ manifest, project }: PackedPackage, folder: string): Promise<void> {
  const optional = isRecord(manifest['peerDependenciesMeta']) ? manifest['peerDependenciesMeta'] : {}
  const names = [...REQUIRED, 'optionalDependencies'].flatMap((field) => Object.keys(rangesIn(manifest, field)))
  const modules = join(folder, 'node_modules')
  for (const name of new Set(names)) {
    const place = installedIn(project, name)
    const isRequired = REQUIRED.some((field) => name in rangesIn(manifest, field)) && optional[name] === undefined
    if (place === undefined && isRequired) throw failed(`${name} is not installed in this project`, 'Run: npm install')
    if (place === undefined || existsSync(join(modules, name))) continue
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(await realpath(place), join(modules, name), 'junction')
  }
}

/** Returns the folder of a package as Node finds it from a project. */
export function installedIn(project: string, name: string): string | undefined {
  const found = join(project, 'node_modules', name)
  if (existsSync(join(found, 'package.json'))) return found
  const parent = dirname(project)
  return parent === project ? undefined : installedIn(parent, name)
}
