// Is loaded before the command line and the host process: names each of their steps on the files of a project, and
// kills the whole group of processes at the one that is armed.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join, relative } from 'node:path'

const { MYNAH_FAULT_ROOT: root, MYNAH_FAULT_FOLDER: folder, MYNAH_FAULT_COMMAND: command } = process.env
/** Files of a set of packages. */
const SET = String.raw`node_modules|package(?:-lock)?\.json|replaced-by\.json`
/** Folders of such a set, below that of the packages. */
const FOLDERS = 'staged(?:/<run>|/old)?|previous|replaced'
const KEPT = String.raw`(?:journal\.json|runs\.jsonl)(?:\.tmp)?|(?:${FOLDERS})(?:/(?:${SET}))?`
/** Files whose changes are steps. Those of npm and of the tree of links are not. */
const STEPS = new RegExp(`^(?:${SET}|mynah\\.config\\.yml\\S*|data/packages(?:/(?:${KEPT}))?)$`)
const own = { appendFileSync: fs.appendFileSync, readFileSync: fs.readFileSync, rmSync: fs.rmSync }
const main = basename(process.argv[1] ?? '', '.js')
/** `command`, `supervisor` or `host`. */
const program = { main: command, 'host-process': 'host' }[main]
const opened = new Map()
/** Step in the journal that is written now. */
let journalStep = ''
let armedId = ''
let count = 0

const note = (entry) =>
  own.appendFileSync(join(folder, 'steps'), `${JSON.stringify({ program, at: performance.now(), ...entry })}\n`)

/** Returns the name of a path of the project, or `undefined` for one whose changes are no steps. */
function nameOf(path) {
  if (typeof path !== 'string') return undefined
  const name = relative(root, path).replace(/staged\/[\da-f-]{36}/, 'staged/<run>')
  return STEPS.test(name) ? name.replace('data/packages/', '') : undefined
}

function armed() {
  try {
    return JSON.parse(own.readFileSync(join(folder, 'armed'), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Notes a step. Returns at which side of it the group of processes is killed. */
function reach(step) {
  note({ step })
  const order = armed()
  if (!order || order.program !== program) return undefined
  if (order.id !== armedId) {
    armedId = order.id
    count = 0
  }
  if (order.step !== undefined && order.step !== step) return undefined
  return ++count === order.nth ? order.side : undefined
}

function die(step) {
  own.rmSync(join(folder, 'armed'))
  note({ killed: step })
  process.kill(0, 'SIGKILL')
  // Nothing may follow, and the signal may take a moment.
  for (;;);
}

function labelOf(method, given) {
  const path = method === 'writeSync' || method === 'fsyncSync' ? opened.get(given[0]) : given[0]
  const name = nameOf(path)
  if (method === 'writeSync' && name?.startsWith('journal')) journalStep = JSON.parse(given[1]).step
  const of = name?.startsWith('journal') && method !== 'openSync' ? ` ${journalStep}` : ''
  if (!/^(?:rename|copyFile|link)/.test(method)) return name && `${method} ${name}${of}`
  const target = nameOf(given[1])
  return name || target ? `${method} ${name ?? ''} ${target ?? ''}${of}` : undefined
}

const isText = (value) => typeof value === 'string'

/** Kills in the middle of a write, which a full disk or a lost power may do. */
function half(method, original, parts, given) {
  original.call(parts, given[0], isText(given[1]) ? given[1].slice(0, given[1].length / 2) : '', ...given.slice(2))
  die(`half of ${method}`)
}

function wrap(parts, method, isAsync) {
  const original = parts[method]
  parts[method] = (...given) => {
    const isRead = method === 'openSync' && !/[wa+]/.test(String(given[1] ?? 'r'))
    const label = isRead ? undefined : labelOf(method, given)
    const side = label && reach(label)
    if (side === 'before') die(label)
    if (side === 'half' && /^(?:write|append)/.test(method) && !isAsync) half(method, original, parts, given)
    const result = original.apply(parts, given)
    if (method === 'openSync') opened.set(result, given[0])
    if (side === undefined) return result
    if (!isAsync) die(label)
    return result.then(() => die(label))
  }
}

if (root && folder && program) {
  const changing = ['rename', 'rm', 'mkdir', 'copyFile', 'link', 'unlink', 'writeFile', 'appendFile']
  for (const method of [...changing.map((name) => `${name}Sync`), 'openSync', 'writeSync', 'fsyncSync'])
    wrap(fs, method, false)
  for (const method of changing) wrap(fs.promises, method, true)
  const { fork } = childProcess
  childProcess.fork = (...given) => {
    note({ step: 'the host process is started' })
    return fork(...given)
  }
  syncBuiltinESMExports()
}
