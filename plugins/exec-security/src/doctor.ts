import { NO_LEVELS, probeLevels, type Levels } from './levels/probe.js'
import { Cgroups } from './limits/cgroups.js'
import { homeOf } from './view/host-view.js'
import { RunFolder } from './view/run-folder.js'

/** A finding of the doctor: `ok` is in order, `note` is worth knowing, `mend` has to be fixed. */
export interface SandboxFinding {
  readonly state: 'ok' | 'note' | 'mend'
  readonly subject: string
  readonly text: string
  readonly remedy?: string
}

/** The keys that the findings depend on, as they are written: unchecked values of `ai.agent`. */
export type ExecSettings = Readonly<Partial<Record<'execSecurity' | 'execSandbox' | 'execUnwalled', unknown>>>

const SUBJECT = 'command sandbox'
const REMEDY = 'Install bubblewrap (`bwrap`) and let it use user namespaces'

/** Tries the levels with canaries, and says what commands are held by and what that means for the settings. */
export async function checkSandbox(settings: ExecSettings): Promise<readonly SandboxFinding[]> {
  const { execSecurity = 'deny', execSandbox = 'auto', execUnwalled = 'ask' } = settings
  if (execSecurity === 'deny') return [finding('ok', 'not needed: shell commands are forbidden')]
  const levels = execSandbox === 'off' ? { ...NO_LEVELS, reasons: ['execSandbox is off'] } : await tryLevels()
  const { best } = levels
  const findings = [levelFinding(levels, execSandbox)]
  if (best !== 'wall' && execSandbox === 'auto' && execUnwalled === 'ask') findings.push(questionsFinding(best))
  if (best !== 'wall' && execUnwalled === 'text')
    findings.push(
      finding(
        'mend',
        `execUnwalled is text: at level ${best}, commands are judged by their text alone`,
        'Set ai.agent.execUnwalled to ask',
      ),
    )
  if (best === 'wall') findings.push(...(await limitsFinding()))
  return findings
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
