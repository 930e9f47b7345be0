// Finds out what a request would change. Nothing of the project is written.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, isWireError, WireError } from '@mynah/contract'
import type { PackageChange, PackagePlan } from '@mynah/contract/types'
import type { PackageRequest } from '@mynah/plugin-management/api'
import { addFacts, type Ask } from './plan-facts.js'
import type { Folders } from './folders.js'
import { changesBetween, parseLock, type Lock } from './lockfile.js'
import type { Npm } from './npm.js'
import { isHost, newestThatFits, peerFaults } from './peers.js'
import { readProject, type Project } from './project.js'
import { specOf, textOf, type Spec } from './specs.js'
import { manifestsHash } from './swap.js'

/** A plan with what carries it out. */
export interface Prepared {
  readonly view: PackagePlan
  /** The manifests of the project at the time of the plan. */
  readonly base: string
  readonly createdAt: number
  /** The new manifests. Absent where the packages of before are put back. */
  readonly manifests?: { readonly manifest: string; readonly lockText: string }
}

type Action = 'add' | 'remove' | 'update'

/** A request in the terms of npm. */
interface Wanted {
  readonly action: Action
  readonly specs: readonly Spec[]
  readonly args: readonly string[]
}

/** Makes plans for one project. */
export class Planner {
  readonly #folders: Folders
  readonly #npm: Npm

  constructor(folders: Folders, npm: Npm) {
    this.#folders = folders
    this.#npm = npm
  }

  /** @throws WireError `invalid_request`, `not_found`, `upstream_unavailable` */
  async plan(request: PackageRequest, signal: AbortSignal): Promise<Prepared> {
    const wanted = wantedOf(request)
    let project: Project
    try {
      project = readProject(this.#folders)
    } catch (error) {
      if (!isWireError(error) || error.code !== 'unsupported') throw error
      return this.#refused(wanted, [error.message])
    }
    assertListed(wanted, project)
    const folder = join(this.#folders.plans, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      return await this.#planIn(folder, wanted, project, signal)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #planIn(folder: string, wanted: Wanted, project: Project, signal: AbortSignal): Promise<Prepared> {
    const base = manifestsHash(this.#folders.root)
    await writeFile(join(folder, 'package.json'), project.manifest)
    await writeFile(join(folder, 'package-lock.json'), project.lockText)
    await copyNpmrc(this.#folders.root, folder)
    try {
      await this.#npm.lock(folder, wanted.args, signal)
    } catch (error) {
      if (!isWireError(error) || error.code !== 'conflict:peers') throw error
      return this.#refused(wanted, [error.message, ...(await this.#thatFit(folder, wanted, project.lock, signal))])
    }
    const manifest = await readFile(join(folder, 'package.json'), 'utf8')
    const lockText = await readFile(join(folder, 'package-lock.json'), 'utf8')
    const after = parseLock(lockText)
    const asked = new Set(wanted.specs.map(({ name }) => name))
    const found = changesBetween(project.lock, after, asked)
    const ask: Ask = {
      view: (spec, fields) => this.#npm.view(folder, spec, fields, signal),
      diff: (before, after, files, ending) => this.#npm.diff(folder, [before, after], files, ending),
    }
    const facts = await addFacts(found, ask, signal)
    const faults = peerFaults(after, new Set(found.map(({ path }) => path)))
    const fits = faults.length > 0 ? await this.#thatFit(folder, wanted, project.lock, signal) : []
    const view: PackagePlan = {
      planId: randomUUID(),
      action: wanted.action,
      ...facts.plan,
      ...effectOf(facts.plan.changes),
      refusals: [...faults, ...fits, ...facts.refusals],
    }
    return { view, base, createdAt: Date.now(), manifests: { manifest, lockText } }
  }

  /** Returns which versions of what was asked for fit the host, in words. */
  async #thatFit(folder: string, { specs, action }: Wanted, installed: Lock, signal: AbortSignal): Promise<string[]> {
    if (action === 'remove') return []
    const found = await Promise.all(
      specs.slice(0, 3).map(async ({ name }) => {
        const answer = await this.#npm
          .view(folder, `${name}@>=0.0.0`, ['version', 'peerDependencies'], signal)
          .catch(noFacts)
        const versions = (Array.isArray(answer) ? answer : [answer]).filter(isRecord) as { version: string }[]
        const newest = newestThatFits(versions, installed)
        return newest === undefined ? [] : [`the newest version that fits is ${name}@${newest}`]
      }),
    )
    return found.flat()
  }

  #refused({ action, specs, args }: Wanted, refusals: readonly string[]): Prepared {
    const names = specs.map(textOf).join(' ')
    return {
      view: {
        planId: randomUUID(),
        action,
        changes: [],
        contributes: {},
        advisories: 'not checked: nothing was looked up',
        takesEffect: 'restart',
        reasons: [],
        refusals: [...refusals],
        command: `npm ${args[0] as string} ${names}`,
      },
      base: '',
      createdAt: Date.now(),
    }
  }
}

/** The version that fits is a hint. The reason is shown in any case. */
const noFacts = (error: unknown): undefined => {
  if (!isWireError(error)) throw error
}

/** Copies the configuration of npm, which may hold a token. */
export async function copyNpmrc(root: string, folder: string): Promise<void> {
  const file = join(root, '.npmrc')
  if (!existsSync(file)) return
  await copyFile(file, join(folder, '.npmrc'))
}

function wantedOf({ add, remove, update }: PackageRequest): Wanted {
  const given = (
    [
      ['add', add],
      ['remove', remove],
      ['update', update],
    ] as const
  ).filter(([, list]) => list?.length)
  const [only] = given
  if (!only || given.length > 1)
    throw new WireError('invalid_request', 'Name packages to add, to remove or to update, and one of these only')
  const [action, texts = []] = only
  const specs = texts.map(specOf)
  if (action === 'remove') return { action, specs, args: ['uninstall', '--', ...specs.map(({ name }) => name)] }
  const exact = action === 'update' ? specs.map((spec) => ({ range: 'latest', ...spec })) : specs
  return { action, specs: exact, args: ['install', '--', ...exact.map(textOf)] }
}

function assertListed({ action, specs }: Wanted, { listed }: Project): void {
  if (action === 'add') return
  const missing = specs.find(({ name }) => !listed.has(name))
  if (missing) throw new WireError('not_found', `package.json does not list "${missing.name}"`)
}

/** Returns when the changes take effect. Code that may run already is replaced where a process can load it again. */
export function effectOf(changes: readonly PackageChange[]): Pick<PackagePlan, 'takesEffect' | 'reasons'> {
  const reasons = changes
    .filter(({ name, from, script }) => from !== undefined && (isHost(name) || script === true))
    .slice(0, 10)
    .map(({ name, from, to }) =>
      isHost(name)
        ? `${name} is a part of the host (${from as string} → ${to ?? 'none'})`
        : `${name} has an install script, and may run already`,
    )
  return { takesEffect: reasons.length > 0 ? 'restart' : 'live', reasons }
}
