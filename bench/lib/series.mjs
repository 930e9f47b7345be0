// Runs each case in its own process several times, pinned to one CPU where `taskset` exists, and folds the medians.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

/** Field-wise median of numbers, element-wise of arrays; the rest from the first run. */
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

/** One run of a worker; anything but its one line fails it, since what logs does not measure what it claims. */
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

/** Medians of `runs` runs of a case. */
export function medians(worker, args, runs, options) {
  return { runs, pinned, ...fold(Array.from({ length: runs }, () => run(worker, args, options))) }
}
