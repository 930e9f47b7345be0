import { readdir, readFile, readlink } from 'node:fs/promises'
import { readlinkSync } from 'node:fs'
import { until } from './pauses.js'

/** The variable that marks the processes of a command without a sandbox. */
export const MARK = 'MYNAH_RUN'

/** By what the processes of one command are known. */
export interface ProcessTrace {
  /** The process that was started. It leads a session of its own. */
  readonly pid: number
  readonly mark: string
  /** Its standard output and error. */
  readonly outputs: readonly string[]
}

/** Looks at a process that has just been started. */
export function traceOf(pid: number, mark: string): ProcessTrace {
  const outputs: string[] = []
  for (const descriptor of [1, 2]) {
    try {
      outputs.push(readlinkSync(`/proc/${pid}/fd/${descriptor}`))
    } catch {
      // Where the system has no such folder, session and mark have to do.
    }
  }
  return { pid, mark, outputs }
}

/** Kills the processes that a command left behind. Returns the names of those that still run. */
export async function killLeftovers(trace: ProcessTrace): Promise<string[]> {
  let found: number[] = []
  await until(async () => {
    found = await findProcesses(trace)
    for (const pid of found) kill(pid)
    return found.length === 0
  })
  return Promise.all(found.map(async (pid) => `${await nameOf(pid)} (${pid})`))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // The process has ended or is another user's. The next scan shows which.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

async function findProcesses(trace: ProcessTrace): Promise<number[]> {
  let names: string[]
  try {
    names = await readdir('/proc')
  } catch {
    // No such folder, no such way to look: the group was killed by its number.
    return []
  }
  const pids = names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && pid > 1)
  const found = await Promise.all(pids.map((pid) => belongs(pid, trace)))
  return pids.filter((_, i) => found[i])
}

async function belongs(pid: number, { pid: session, mark, outputs }: ProcessTrace): Promise<boolean> {
  const stat = await read(`/proc/${pid}/stat`)
  // After the name in parentheses: state, parent, group, session.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return false
  if (Number(fields[3]) === session) return true
  if ((await read(`/proc/${pid}/environ`)).split('\0').includes(`${MARK}=${mark}`)) return true
  for (const descriptor of [1, 2]) {
    const link = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
    if (link.startsWith('socket:') || link.startsWith('pipe:')) if (outputs.includes(link)) return true
  }
  return false
}

/** A file of the process table. Empty for a process that has gone or is another user's. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const nameOf = async (pid: number): Promise<string> => (await read(`/proc/${pid}/comm`)).trim() || 'a process'
