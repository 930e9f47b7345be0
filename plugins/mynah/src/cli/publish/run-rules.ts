// Rules that only loading and running a package can show.
import { fix, note, ok, type RuleResult } from './rule-result.js'
import type { ProbeReport } from './probe-report.js'

const MAX_LOAD_MS = 200
const MAX_NAMED = 8

/** Returns the results of the rules for a report. `readme` is the text that should name the options. */
export function checkRun(report: ProbeReport, readme: string): RuleResult[] {
  if (report.loadFault !== undefined)
    return [
      fix(
        'loads',
        report.loadFault,
        'A packed plugin finds only JavaScript in files, and packages in dependencies and peerDependencies',
      ),
    ]
  return [
    loadOf(report),
    timersOf(report),
    ...ranOf(report),
    ...(report.options ? [optionsOf(report.options, readme)] : []),
  ]
}

function loadOf({ loadMs = 0 }: ProbeReport): RuleResult {
  const text = `${loadMs} ms of processor time`
  return loadMs < MAX_LOAD_MS
    ? ok('loads', text)
    : note(
        'loads',
        `${text}, which delays each start of a host`,
        'Import large packages where they are used: await import(…)',
      )
}

const timersOf = ({ timers = 0 }: ProbeReport): RuleResult =>
  timers === 0
    ? ok('loaded twice', 'no timer is left')
    : fix(
        'loaded twice',
        `${timers} timers are left, and each reload adds more`,
        'Start timers in setup, with ctx.clock',
      )

function ranOf({ runs, hostFault, timersAfter = 0 }: ProbeReport): RuleResult[] {
  if (hostFault !== undefined) return [fix('runs', hostFault, 'Start it once: mynah start')]
  if (!runs) return []
  const fault = runs.find(({ state }) => state !== 'active')
  if (fault)
    return [fix('runs', `it is ${fault.state}: ${fault.reason ?? 'no reason is known'}`, remedyOf(fault.state))]
  const left = [
    ...Array.from(new Set(runs.flatMap((run) => run.left))),
    ...(timersAfter > 0 ? [`${timersAfter} ${timersAfter === 1 ? 'timer' : 'timers'}`] : []),
  ]
  return [
    ok('runs', 'installed, enabled, reloaded and stopped'),
    left.length === 0
      ? ok('stops', 'nothing is left')
      : fix(
          'stops',
          `${left.join(', ')} left after it stopped`,
          'Undo it with ctx.onDispose(…), or use the timers of ctx.clock',
        ),
  ]
}

const remedyOf = (state: string): string =>
  state === 'pending'
    ? 'List the plugin that provides it in plugins of mynah.config.yml, and in peerDependencies'
    : 'Fix the reason. Options that it needs are read from mynah.config.yml'

function optionsOf(options: readonly string[], readme: string): RuleResult {
  const missing = options.filter((path) => !isNamed(path, readme))
  if (missing.length === 0)
    return ok('options', options.length === 0 ? 'none' : `the README names all ${options.length}`)
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : ''
  return fix(
    'options',
    `the README does not name ${missing.slice(0, MAX_NAMED).join(', ')}${more}`,
    'Describe each option in README.md',
  )
}

/** Returns whether a text has the path of an option, or the option alone as a word. */
function isNamed(path: string, text: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1).replace(/[^\w-]/g, '\\$&')
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text)
}
