// The report of `mynah support`: everything in it is reduced to what the code and the schemas of packages contain.
import { dirname, join, resolve } from 'node:path'
import { messageOf, type LogRecord } from '@mynah/kernel'
import { ConfigurationError, describeFile, valueAt, type DescribedFile, type Problem } from '@mynah/kernel/loader'
import type { Sample } from '@mynah/plugin-management/api'
import { checkData, checkNode } from '../checks.js'
import { ask } from '../control.js'
import { HOST_KEYS } from '../host-keys.js'
import { pluginImporter } from '../modules/import-plugin.js'
import { checkBackups, checkDisk, checkSecrets } from '../operation-checks.js'
import type { HostFacts, StatusReport } from '../protocol.js'
import { readCodeTexts } from './code-texts.js'
import { shownPackages } from './packages.js'
import { reduceConfiguration } from './reduce-configuration.js'
import { HIDDEN, Reducer } from './reduce-text.js'
import { storedLines } from './stored-lines.js'
import { sizes, versions } from './system-facts.js'

const MAX_LINES = 100

/** Returns the report about the host with a configuration file. It works without a running or valid host. */
export async function supportReport(file: string): Promise<object> {
  const root = dirname(resolve(file))
  const packages = shownPackages(root)
  const reducer = new Reducer(await readCodeTexts(packages), packages)
  const described = await describe(file)
  const { state, facts, supervisor } = await askHost(join(root, 'data'))
  const stored = await storedOf(root, described)
  const lines = merged([...stored.lines, ...supervisor, ...(facts?.lines ?? [])])
  return {
    about:
      'Report of mynah support. It has no secrets and no texts or names of people; "…" stands for what is left out',
    made: new Date().toISOString(),
    versions: await versions(packages),
    host: { state, ...(facts ? health(facts.status, reducer) : {}) },
    checks: await checks(root, reducer),
    configuration: {
      problems: described.problems.map((found) => reduceProblem(found, reducer)),
      values: reduceConfiguration(described, reducer),
    },
    figures: {
      ...(await sizes(root, reducer)),
      ...(facts ? { process: facts.memory, metrics: figures(facts.figures, reducer) } : {}),
    },
    log: {
      ...(stored.problem === undefined ? {} : { stored: reducer.text(stored.problem) }),
      lines: lines.map((line) => reducer.line(line)),
    },
  }
}

/** A file that cannot be read has problems and nothing else. */
async function describe(file: string): Promise<DescribedFile> {
  const root = dirname(resolve(file))
  try {
    return await describeFile(file, {
      env: { ...process.env },
      keys: HOST_KEYS,
      bases: [import.meta.dirname],
      importModule: pluginImporter(root),
    })
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return { values: {}, problems: error.problems, schemas: new Map(), items: [] }
  }
}

interface Asked {
  readonly state: string
  readonly facts?: HostFacts | undefined
  readonly supervisor: readonly LogRecord[]
}

async function askHost(data: string): Promise<Asked> {
  try {
    const answer = await ask(data, { do: 'support' })
    if (!answer) return { state: 'stopped', supervisor: [] }
    if ('error' in answer) return { state: 'running, does not answer', supervisor: [] }
    const { facts, supervisor = [] } = answer
    return { state: facts ? 'running' : 'starting or stopping', facts, supervisor }
  } catch {
    return { state: 'running, does not answer', supervisor: [] }
  }
}

async function storedOf(
  root: string,
  { values }: DescribedFile,
): Promise<{ readonly lines: readonly LogRecord[]; readonly problem?: string }> {
  const file = valueAt(values, 'database.file')
  try {
    return { lines: await storedLines(root, typeof file === 'string' && file ? resolve(root, file) : undefined) }
  } catch (error) {
    return { lines: [], problem: messageOf(error) }
  }
}

/** Returns lines in their order, each once: the stored ones have no stack. */
function merged(lines: readonly LogRecord[]): LogRecord[] {
  const found = new Map(lines.map((line) => [`${line.time} ${line.name} ${line.message}`, line] as const))
  return Array.from(found.values())
    .sort((a, b) => a.time - b.time)
    .slice(-MAX_LINES)
}

function health(
  { version, startedAt, running, troubled, checks: parts, hosts }: StatusReport,
  reducer: Reducer,
): object {
  return {
    version,
    startedAt: new Date(startedAt).toISOString(),
    plugins: {
      running,
      troubled: troubled.map(({ name, state, reason }) => ({
        name: reducer.plugin(name),
        state: reducer.word(state),
        reason: reducer.text(reason),
      })),
    },
    readiness: parts.map(({ name, status, reason }) => ({
      name: reducer.word(name),
      status: reducer.word(status),
      ...(reason === undefined ? {} : { reason: reducer.text(reason) }),
    })),
    ...(hosts
      ? {
          cluster: hosts.map(({ self, state, version: own, places, drains }) => ({
            self,
            state: reducer.word(state),
            version: own === version ? own : 'another version',
            places: places.length,
            drains,
          })),
        }
      : {}),
  }
}

async function checks(root: string, reducer: Reducer): Promise<object> {
  const found = [
    checkNode(process.versions.node),
    await checkData(root),
    await checkDisk(root),
    await checkSecrets(root),
    await checkBackups(root),
  ]
  return Object.fromEntries(
    found.map(({ subject, state, text }) => {
      const shown = reducer.text(text)
      return [subject, shown === HIDDEN ? state : `${state}: ${shown}`]
    }),
  )
}

const reduceProblem = ({ severity, code, message, place, plugin }: Problem, reducer: Reducer): object => ({
  severity,
  code,
  message: reducer.text(message),
  ...(place?.line === undefined ? {} : { line: place.line }),
  ...(plugin === undefined ? {} : { plugin: reducer.plugin(plugin) }),
})

/** Returns the sums of metrics by the labels whose values are words of the code. */
function figures(found: HostFacts['figures'], reducer: Reducer): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { name, samples } of found)
    for (const { value, labels = {} } of samples) {
      const key = `${name}${labelled(labels, reducer)}`
      sums[key] = (sums[key] ?? 0) + value
    }
  return sums
}

function labelled(labels: NonNullable<Sample['labels']>, reducer: Reducer): string {
  const shown = Object.entries(labels).map(([key, value]) => `${reducer.word(key)}=${reducer.word(value)}`)
  return shown.length > 0 ? `{${shown.join(',')}}` : ''
}
