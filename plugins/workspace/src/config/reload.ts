import { isDeepStrictEqual } from 'node:util'
import type { ConfigApplied } from '@mynah/contract/types'
import {
  messageOf,
  type HostControl,
  reloadConfiguration,
  type HeldPlugins,
  type Logger,
  type ReloadableHost,
  type Reloaded,
} from '@mynah/kernel'
import { readTextFile } from '@mynah/kernel/files'
import { inTime } from './in-time.js'
import { tryParseYaml, valueAt } from './values.js'

/** The reasons of plugins may have secrets. */
export interface RedactingHost extends ReloadableHost {
  readonly host: Pick<HostControl, 'inspect' | 'redact'>
}

const UNKNOWN: Omit<ConfigApplied, 'complete'> = {
  accepted: true,
  notes: [],
  problems: [],
  updated: [],
  restarted: [],
  started: [],
  stopped: [],
  waiting: [],
  failed: [],
}

/**
 * Makes the host run what is on disk, as `mynah reload` does, and says what has changed.
 *
 * @param onAccepted called once the host runs it
 */
export async function reload(parts: RedactingHost, log: Logger, onAccepted: () => void): Promise<ConfigApplied> {
  const redact = (text: string): string => parts.host.redact(text)
  const changesServer = await differsInServer(parts)
  const work = reloadConfiguration(parts).then((found) => {
    if (found.accepted) onAccepted()
    return found
  })
  const found = await inTime(work, changesServer)
  if (found !== 'timeout') return { complete: true, ...viewOf(found, redact) }
  work.catch((error: unknown) => log.error(`failed to apply the configuration: ${messageOf(error)}`))
  return { complete: false, ...UNKNOWN }
}

/** Whether the section of the server on disk is another one than that of the running text. */
async function differsInServer({ configuration }: ReloadableHost): Promise<boolean> {
  const onDisk = tryParseYaml(await readTextFile(configuration.file).catch(() => ''))
  return !isDeepStrictEqual(valueAt(onDisk, ['http']), valueAt(configuration.source(), ['http']))
}

function viewOf(
  { refusals, problems, ...found }: Reloaded,
  redact: (text: string) => string,
): Omit<ConfigApplied, 'complete'> {
  const refused = refusals.flatMap(({ plugin, mistakes }) =>
    mistakes.map(({ path, message }) => ({
      severity: found.accepted ? ('plugin' as const) : ('fatal' as const),
      path: path || plugin,
      message: redact(path ? `${plugin}: ${path} ${message}` : message),
    })),
  )
  const seen = problems.map(({ severity, code, message, place }) => ({
    severity,
    code,
    message: redact(message),
    ...(place?.path === undefined ? {} : { path: place.path }),
    ...(place?.line === undefined ? {} : { line: place.line }),
  }))
  const held = (groups: readonly HeldPlugins[]) =>
    groups.map(({ plugins, reason }) => ({ plugins: [...plugins], reason: redact(reason) }))
  return {
    accepted: found.accepted,
    notes: [...found.notes],
    problems: [...seen, ...refused],
    updated: [...found.updated],
    restarted: [...found.restarted],
    started: [...found.started],
    stopped: [...found.stopped, ...found.removed],
    waiting: held(found.waiting),
    failed: held(found.failed),
  }
}
