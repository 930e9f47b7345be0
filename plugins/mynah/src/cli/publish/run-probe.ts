// Loads and runs a package in a process of its own, so that it can neither end nor change the command line.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ProbeReport, ProbeTask } from './probe-report.js'

/** A package that hangs is not waited for. Enough for a busy machine. */
const TIMEOUT_MS = 120_000
const MAX_SAID = 2_000

/** Returns the report of the process, or why it gave none. */
export async function runProbe(task: ProbeTask, cwd: string): Promise<ProbeReport> {
  const child = fork(fileURLToPath(new URL('probe.js', import.meta.url)), [], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MAX_SAID)))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, TIMEOUT_MS)
  let report: ProbeReport | undefined
  child.on('message', (answer: ProbeReport) => (report = answer))
  try {
    child.send(task)
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject).once('close', () => resolve())
    })
  } finally {
    clearTimeout(timer)
  }
  if (report) return report
  if (isLate) return { loadFault: `it did not end within ${TIMEOUT_MS / 1000} s` }
  return { loadFault: `it ended the process; the last output was: ${said.trim().split('\n').at(-1) ?? ''}` }
}
