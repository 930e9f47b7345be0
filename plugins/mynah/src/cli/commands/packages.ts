import { dirname, join, resolve } from 'node:path'
import { isWireError } from '@mynah/contract'
import type { PackagePlan, PackageRun } from '@mynah/contract/types'
import type { PackageRequest } from '@mynah/plugin-management/api'
import { UsageError, type Arguments } from '../arguments.js'
import { ask } from '../control.js'
import { EXIT } from '../exit-codes.js'
import { describePlan } from '../packages/describe-plan.js'
import { PackageEngine } from '../packages/engine.js'
import { foldersOf } from '../packages/folders.js'
import { installedPlugins } from '../packages/installed.js'
import { readJournal } from '../packages/journal.js'
import type { LiveUpdate } from '../packages/live-packages.js'
import { recoverPackages } from '../packages/recover.js'
import { Prompt, progress, say } from '../setup/terminal.js'
import { logger } from '../supervisor-log.js'
import { UserError } from '../user-error.js'
import { visibleJson, visibleLines } from '../visible.js'

/** Work that takes longer is announced, ms. */
const PROGRESS_MS = 1_000

const rootOf = ({ config }: Arguments): string => dirname(resolve(config))

export async function add(args: Arguments): Promise<number> {
  if (args.rest.length === 0) throw new UsageError('name a package: mynah add <package[@range]>…')
  return change(args, (engine) => engine.plan({ add: args.rest }))
}

export async function remove(args: Arguments): Promise<number> {
  if (args.rest.length === 0) throw new UsageError('name a package: mynah remove <package>…')
  return change(args, (engine) => engine.plan({ remove: args.rest }))
}

export async function update(args: Arguments): Promise<number> {
  const request: PackageRequest = {
    update: args.rest.length > 0 ? args.rest : installedPlugins(rootOf(args)).map(({ name }) => name),
  }
  return change(args, (engine) => engine.plan(request))
}

export async function rollback(args: Arguments): Promise<number> {
  return change(args, (engine) => engine.rollback())
}

/** Shows the installed plugins and the last runs. */
export async function list(args: Arguments): Promise<number> {
  const engine = engineOf(args)
  const plugins = installedPlugins(rootOf(args))
  const { runs, rollback: kept } = engine.runs(5)
  if (args.options.has('json')) print({ packages: plugins, runs, rollback: kept })
  else {
    for (const { name, version } of plugins) say(`${name} ${version}`)
    for (const run of runs) say(lineOf(run))
    if (kept) say('"mynah rollback" puts the packages of before the last change back')
  }
  return EXIT.ok
}

const lineOf = ({ action, packages, state, message, by, at }: PackageRun): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC  ${action} ${packages.join(' ')}: ${state}` +
  `${message ? ` (${message})` : ''}, by ${by}`

const print = (value: unknown): void =>
  void process.stdout.write(`${visibleJson(JSON.stringify(value, undefined, 2))}\n`)

const engineOf = (args: Arguments): PackageEngine =>
  new PackageEngine(rootOf(args), {
    update: () => updateHost(join(rootOf(args), 'data')),
    warn: (message) => logger().warn(message),
  })

/** Lets the host use packages that have changed, if it runs. */
async function updateHost(data: string): Promise<LiveUpdate | undefined> {
  if (!(await ask(data, { do: 'ping' }))) return undefined
  const answer = await ask(data, { do: 'packages' })
  const update = answer && 'update' in answer ? answer.update : undefined
  return update ?? { state: 'restart', reason: 'it ended while it loaded the packages, or had not started yet' }
}

/** Shows a plan, has it confirmed, and carries it out. */
async function change(args: Arguments, planned: (engine: PackageEngine) => Promise<PackagePlan>): Promise<number> {
  const engine = engineOf(args)
  let isInterrupted = false
  const stop = (): void => {
    isInterrupted = true
    void engine.close()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const rest = await recoverPackages(foldersOf(rootOf(args)))
    if (rest) say(rest)
    const plan = await announced('planning', planned(engine))
    const json = args.options.has('json')
    if (!json) for (const line of describePlan(plan)) say(line)
    if (plan.refusals.length > 0) {
      if (json) print({ plan })
      return EXIT.refused
    }
    if (plan.changes.length === 0) {
      if (json) print({ plan })
      else say('nothing to change')
      return EXIT.ok
    }
    const scripts = await confirm(plan, args)
    const run = await carryOut(engine, plan, scripts)
    if (json) print({ plan, run })
    return await tellEnd(run, plan, args)
  } catch (error) {
    if (isInterrupted)
      throw new UserError('cancelled; nothing was changed', { exitCode: EXIT.interrupted, cause: error })
    if (!isWireError(error)) throw error
    throw new UserError(error.message, { exitCode: exitOf(error.code), cause: error })
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

function exitOf(code: string): number {
  if (code.startsWith('invalid_request')) return EXIT.usage
  return /^(?:upstream|internal|not_ready)/.test(code) ? EXIT.failure : EXIT.refused
}

async function announced<T>(what: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => progress(what), PROGRESS_MS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the install scripts that may run.
 *
 * @throws UserError where the plan or a script is not confirmed
 */
async function confirm({ changes }: PackagePlan, { options, values }: Arguments): Promise<string[]> {
  const given = new Set((values['allow-script'] ?? '').split(',').filter(Boolean))
  const needed = changes.filter(({ script }) => script).map(({ name, to }) => `${name}@${to as string}`)
  const open = needed.filter((script) => !given.has(script))
  const prompt = options.has('yes') || options.has('json') ? undefined : Prompt.open()
  const refuse = (message: string, remedy: string): never => {
    throw new UserError(message, { exitCode: EXIT.refused, remedy })
  }
  try {
    for (const script of open)
      if ((await prompt?.choose(`May the install script of ${script} run?`, ['no', 'yes'])) !== 'yes')
        refuse(`the install script of ${script} is not confirmed`, `Confirm it with --allow-script=${needed.join(',')}`)
    if (!options.has('yes') && (await prompt?.choose('Change the packages?', ['no', 'yes'])) !== 'yes')
      refuse('nothing was changed', 'Confirm the plan with --yes')
    return needed
  } finally {
    prompt?.close()
  }
}

async function carryOut(engine: PackageEngine, { planId }: PackagePlan, scripts: string[]): Promise<PackageRun> {
  let timer: NodeJS.Timeout | undefined
  let shown = ''
  const unlisten = engine.listen(({ state }) => {
    if (state === shown) return
    shown = state
    clearTimeout(timer)
    if (['done', 'failed', 'refused', 'cancelled'].includes(state)) return
    timer = setTimeout(() => progress(state), PROGRESS_MS)
  })
  try {
    return await engine.ended(engine.apply(planId, { by: 'command line', scripts }))
  } finally {
    clearTimeout(timer)
    unlisten()
  }
}

async function tellEnd(run: PackageRun, plan: PackagePlan, args: Arguments): Promise<number> {
  const tell = (line: string): void => void process.stderr.write(`${visibleLines(line)}\n`)
  if (run.state !== 'done') {
    const rest = readJournal(foldersOf(rootOf(args)))?.step === 'swapping' ? '' : '; the packages are those of before'
    tell(`mynah: ${run.state}${run.message ? `: ${run.message}` : ''}${rest}`)
    if (run.state === 'cancelled') return EXIT.interrupted
    return run.state === 'refused' ? EXIT.refused : EXIT.failure
  }
  const data = join(rootOf(args), 'data')
  const restarts = plan.takesEffect === 'restart'
  const running = await ask(data, { do: restarts ? 'restart' : 'ping' })
  tell(running && restarts ? 'done; the host starts again' : 'done')
  if (run.message) tell(`mynah: ${run.message}`)
  for (const { name } of plan.changes.filter(({ asked, from }) => asked && from === undefined))
    if (/(?:^|[/-])plugin-/.test(name))
      tell(`to use it, add "- ${name}" to plugins in ${args.config}${running ? ', then run: mynah reload' : ''}`)
  return EXIT.ok
}
