// Runs each case several times in its own process, pinned to one CPU if `taskset` exists, and computes medians.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

/** Returns the median of each number, also in arrays; other values are those of the first run. */
export function fold(rows) {
  return Object.fromEntries(
    Object.keys(rows[0]).map((key) => {
      const values = rows.map((row) => row[key])
      if (values.every((value) => typeof value === 'number')) return [key, median(values)]
      if (values.every(Array.isArray))
        return [key, values[0].map((_, index) => median(values.map((value) => value[index])))]
      return [key, values[0]]
    }),
  )
}

const cpu = process.env.BENCH_CPU ?? '1'
const pinned = process.platform === 'linux' && spawnSync('taskset', ['-V']).status === 0

/** Runs a worker once. Any output other than its one line is a failure: logging would distort the measurement. */
export function run(worker, args, { timeout = 120_000 } = {}) {
  const command = [process.execPath, '--expose-gc', fileURLToPath(worker), ...args.map(String)]
  const [file, ...rest] = pinned ? ['taskset', '-c', cpu, ...command] : command
  const { stdout, stderr, status } = spawnSync(file, rest, {
    encoding: 'utf8',
    timeout,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const lines = (stdout ?? '').trim().split('\n')
  if (status !== 0 || lines.length !== 1 || !lines[0].startsWith('{'))
    throw new Error(
      `${args.join(' ')} gave no result (status ${status}): ${lines.slice(0, 5).join('\n')}${(stderr ?? '').slice(-2000)}`,
    )
  return JSON.parse(lines[0])
}

/** Returns the medians of `runs` runs of a case. */
export function medians(worker, args, runs, options) {
  return { runs, pinned, ...fold(Array.from({ length: runs }, () => run(worker, args, options))) }
}
