// Checks a package before it is published: its manifest, its tarball, and how it loads and runs.
import { readFileSync } from 'node:fs'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { readTextFile } from '@mynah/kernel/files'
import { parseEnvironment, readValues } from '@mynah/kernel/loader'
import { omitUndefined } from '@mynah/kernel/util'
import { checkContributes } from './contributes.js'
import { checkFiles, type PackedPackage } from './file-rules.js'
import { checkManifest, rangesIn } from './manifest-rules.js'
import { installedIn, linkNamed, unpack } from './pack.js'
import type { Contributions, ProbeTask } from './probe-report.js'
import { profileOf, type Manifest, type Profile, type RuleResult } from './rule-result.js'
import { runProbe } from './run-probe.js'
import { checkRun } from './run-rules.js'

/** The plugins that each host with chat has. */
const BASE = ['http-core', 'console-rpc', 'events', 'entries', 'management', 'chat']
const SECRET_NAME = /token|key|secret|password/i

/** The results of all rules for one package. */
export interface PublishCheck {
  readonly name: string
  readonly version: string
  readonly profile: Profile
  readonly rules: readonly RuleResult[]
  /** The contributions of the plugin to a host, if it ran. */
  readonly contributes?: Contributions
}

interface CheckOptions {
  /** Folder of the package. */
  readonly project: string
  readonly tarball: string
  /** An empty folder, which the caller deletes. */
  readonly work: string
  /** The configuration with the plugin's section. */
  readonly config: string
  /** The version of Mynah that checks it. */
  readonly host: string
}

/** Checks a tarball of a project. A package of Mynah itself is not run here. */
export async function checkTarball({ project, tarball, work, config, host }: CheckOptions): Promise<PublishCheck> {
  const packed = await unpack(project, tarball, join(work, 'one'))
  const { manifest } = packed
  const profile = profileOf(manifest.name)
  const rules = [
    ...checkManifest(manifest, profile, host),
    ...checkFiles(packed, profile, await privateValues(project)),
  ]
  const checked = { name: manifest.name, version: manifest.version, profile }
  const isPlugin = profile === 'plugin' || manifest.name.startsWith('@mynah/plugin-')
  const entry = entryOf(manifest)
  if (!isPlugin || entry === undefined || !packed.files.includes(entry)) return { ...checked, rules }
  const copy = await unpack(project, tarball, join(work, 'two'))
  for (const [index, one] of [packed, copy].entries()) await linkNamed(one, join(work, index === 0 ? 'one' : 'two'))
  const task: ProbeTask = {
    entries: [pathToFileURL(join(packed.folder, entry)).href, pathToFileURL(join(copy.folder, entry)).href],
    folders: [await realpath(packed.folder), await realpath(copy.folder)],
    loaded: profile === 'plugin' ? [import.meta.resolve('mynah')] : [import.meta.resolve('@mynah/kernel')],
    ...(profile === 'plugin' ? { host: await hostOf({ project, work, config, manifest }) } : {}),
  }
  const report = await runProbe(task, work)
  const shown = [...rules, ...checkRun(report, readmeOf(packed))]
  const { contributes } = report
  return omitUndefined({
    ...checked,
    rules: contributes ? [...shown, checkContributes(manifest, contributes)] : shown,
    contributes,
  })
}

/** Returns the path of the main entry in the package. */
function entryOf({ exports: exported, main }: Manifest): string | undefined {
  const conditions = isRecord(exported) && '.' in exported ? exported['.'] : exported
  const pick = (value: unknown): unknown =>
    isRecord(value) ? pick(value['node'] ?? value['import'] ?? value['default']) : value
  const found = pick(conditions) ?? main
  return typeof found === 'string' ? found.replace(/^\.\//, '') : undefined
}

function readmeOf({ folder, files }: PackedPackage): string {
  const name = files.find((path) => /^readme(?:\.|$)/i.test(path))
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
}

/** Writes the configuration of a host with the plugins that this one may need, on a port of its own. */
async function hostOf({
  project,
  work,
  config,
  manifest,
}: Pick<CheckOptions, 'project' | 'work' | 'config'> & { readonly manifest: Manifest }): Promise<
  NonNullable<ProbeTask['host']>
> {
  const { values, problems } = await readValues(config, { env: { ...process.env } }).catch((error: unknown) => ({
    values: {},
    problems: [messageOf(error)],
  }))
  const listed = problems.length === 0 && isRecord(values) && Array.isArray(values['plugins']) ? values['plugins'] : []
  const names = listed
    .map((item: unknown) => (isRecord(item) ? item['name'] : item))
    .filter((name): name is string => typeof name === 'string' && /^@?[a-z]/.test(name))
  const own = manifest.name.replace(/^.*mynah-plugin-/, '')
  const peers = Object.keys(rangesIn(manifest, 'peerDependencies')).filter((name) => name.startsWith('@mynah/plugin-'))
  const plugins = Array.from(new Set([...BASE, ...[...peers, ...names].map(shortOf)])).filter(
    (name) => name !== own && name !== manifest.name,
  )
  const folder = join(work, 'host')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'mynah.config.yml')
  const http = { port: 0, token: randomBytes(24).toString('hex') }
  await writeFile(file, JSON.stringify({ plugins, http, endpoints: [] }), { mode: 0o600 })
  return { file, bases: [project], values }
}

const shortOf = (name: string): string => name.replace(/^@mynah\/plugin-/, '')

/** Returns the values that a project keeps in its `.env`, under names of secrets. */
async function privateValues(project: string): Promise<string[]> {
  let text: string
  try {
    text = await readTextFile(join(project, '.env'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return Object.entries(parseEnvironment(text)).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value ? [value] : [],
  )
}

/** Returns whether a project has the copy of Mynah whose folder is `own`. */
export async function hasOwnCopy(project: string, own: string): Promise<boolean> {
  const found = installedIn(project, 'mynah')
  return found !== undefined && (await realpath(found)) === (await realpath(own))
}
