import { join } from 'node:path'
import { isRecord } from '@mynah/contract'
import type { HostPaths } from '@mynah/kernel'
import { GitPrograms, NO_MOUNTS } from './git/git-programs.js'
import type { ExecLevel } from './levels/level.js'
import { NO_LEVELS, probeLevels, type Levels } from './levels/probe.js'
import { isLevel, isWeaker, reachedLevel } from './levels/reached-level.js'
import { Cgroups } from './limits/cgroups.js'
import { homeOf, placesOf, rootProblem } from './view/host-view.js'
import { RunFolder } from './view/run-folder.js'

/** A finding of the doctor: `ok` is in order, `note` is worth knowing, `mend` has to be fixed. */
export interface SandboxFinding {
  readonly state: 'ok' | 'note' | 'mend'
  readonly subject: string
  readonly text: string
  readonly remedy?: string
}

/** The keys that the findings depend on, as they are written: unchecked values of `ai.agent`. */
export type ExecSettings = Readonly<
  Partial<Record<'execSecurity' | 'execSandbox' | 'execUnwalled' | 'execLevel' | 'execView', unknown>>
>

const SUBJECT = 'command sandbox'
const REMEDY = 'Install bubblewrap (`bwrap`) and let it use user namespaces'

/**
 * Tries the levels with canaries, and says what commands are held by and what that means for the settings.
 *
 * @param root the folder of the host
 */
export async function checkSandbox(settings: ExecSettings, root?: string): Promise<readonly SandboxFinding[]> {
  const { execSecurity = 'deny', execSandbox = 'auto', execLevel, execView } = settings
  if (execSecurity === 'deny') return [finding('ok', 'not needed: shell commands are forbidden')]
  const isOff = execSandbox === 'off'
  const levels = isOff ? { ...NO_LEVELS, reasons: ['execSandbox is off'] } : await tryLevels()
  const { best } = levels
  const paths = root === undefined || isOff ? undefined : { root, data: join(root, 'data') }
  return [
    levelFinding(levels, execSandbox),
    ...(paths ? await hostFindings(best, execLevel, execView, paths) : []),
    ...(best === 'wall'
      ? [...(await gitFinding(levels)), ...(await limitsFinding())]
      : unwalledFindings(best, settings)),
  ]
}

/** Names what of this host keeps commands from the level. */
async function hostFindings(
  best: ExecLevel,
  level: unknown,
  view: unknown,
  paths: HostPaths,
): Promise<readonly SandboxFinding[]> {
  const wanted = isLevel(level) ? level : await reachedLevel(paths.data)
  const hindered = wanted && isWeaker(best, wanted) ? [hinderedFinding(best, wanted)] : []
  return [...hindered, ...(await checkFolders(view, paths.root))]
}

/** Names what the settings mean below level `wall`. */
function unwalledFindings(best: ExecLevel, { execSandbox = 'auto', execUnwalled = 'ask' }: ExecSettings) {
  const text = finding(
    'mend',
    `execUnwalled is text: at level ${best}, commands are judged by their text alone`,
    'Set ai.agent.execUnwalled to ask',
  )
  if (execUnwalled === 'text') return [text]
  return execSandbox === 'auto' && execUnwalled === 'ask' ? [questionsFinding(best)] : []
}

/** Without it, the owner is asked about each command of git that changes a repository. */
async function gitFinding({ wall }: Levels): Promise<readonly SandboxFinding[]> {
  const git = wall?.perl === undefined ? NO_MOUNTS : await GitPrograms.find()
  if (typeof git !== 'string' || git === GitPrograms.missing) return []
  return [
    finding(
      'note',
      `commands of git that change a repository are asked about: ${git}`,
      'Install perl, and start a kernel with Landlock (5.14 or later)',
    ),
  ]
}

const hinderedFinding = (best: ExecLevel, wanted: ExecLevel): SandboxFinding =>
  finding(
    'mend',
    `commands were held at level ${wanted} and now could be only at ${best}: only those that provably only read run`,
    `${REMEDY}, or set ai.agent.execLevel to ${best}`,
  )

/**
 * Names the folders of the settings that no command gets.
 *
 * @param view `ai.agent.execView` as it is written
 * @param root the folder of the host
 */
export async function checkFolders(view: unknown, root: string): Promise<readonly SandboxFinding[]> {
  const paths = { root, data: join(root, 'data') }
  const named = (key: string): string[] => {
    const value = isRecord(view) ? view[key] : undefined
    return Array.isArray(value) ? value.filter((folder) => typeof folder === 'string') : []
  }
  const run = await RunFolder.open(undefined, homeOf(process.env.HOME))
  try {
    const places = await placesOf(run, paths)
    const found = ['read', 'write', 'tools'].flatMap((key) =>
      named(key).map(async (folder) => {
        const problem = await rootProblem(folder, places, folder)
        const remedy = 'Name the folders in it that commands need'
        return problem === undefined ? [] : [finding('mend', `ai.agent.execView.${key}: ${problem}`, remedy)]
      }),
    )
    return (await Promise.all(found)).flat()
  } finally {
    await run.close(0)
  }
}

/** Hosts of an older version asked about fewer commands. */
const questionsFinding = (level: string): SandboxFinding =>
  finding(
    'note',
    `at level ${level}, listed commands are asked about unless they provably only read`,
    'Get level wall, or set ai.agent.execUnwalled to text, which judges commands by their text alone',
  )

function levelFinding({ best, reasons }: Levels, setting: unknown): SandboxFinding {
  const because = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`
  if (best === 'wall')
    return finding(
      'ok',
      'level wall: commands have a home folder of their own (execView.home adds files) and reach hosts by name ' +
        '(execHosts)',
    )
  if (setting === 'required') return finding('mend', `every command is refused${because}`, REMEDY)
  const remedy = setting === 'off' ? 'Set ai.agent.execSandbox to auto' : REMEDY
  if (best === 'files') return finding('note', `level files: commands are kept to their files${because}`, remedy)
  return finding('note', `level none: commands see what the host sees${because}`, remedy)
}

/** A host of the user root has no other limit for processes than that of a cgroup. */
async function limitsFinding(): Promise<SandboxFinding[]> {
  const cgroups = await Cgroups.find()
  if (cgroups instanceof Cgroups || process.getuid?.() !== 0) return []
  return [
    finding(
      'note',
      `a command of root may start any number of processes: ${cgroups.reason}`,
      'Start the host as another user, or with Delegate=yes',
    ),
  ]
}

async function tryLevels(): Promise<Levels> {
  const run = await RunFolder.open(undefined, homeOf(process.env.HOME))
  try {
    return await probeLevels(run)
  } finally {
    await run.close(0)
  }
}

const finding = (state: SandboxFinding['state'], text: string, remedy?: string): SandboxFinding => ({
  state,
  subject: SUBJECT,
  text,
  ...(remedy === undefined ? {} : { remedy }),
})
