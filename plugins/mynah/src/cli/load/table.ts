import type { LoadResult } from './load-run.js'
import type { Quantiles } from './samples.js'

/** Returns the result of a run as a table. */
export function tableOf(result: LoadResult): string {
  const { asked, reached, seconds, sent, accepted, answered, lost, untimed, interrupted } = result
  const errors = Object.entries(result.errors).sort((a, b) => b[1] - a[1])
  return rows([
    ['rate', `${number(asked)}/s asked`, `${number(reached)}/s reached`, `${number(seconds)} s`],
    ['messages', `${sent} sent`, `${accepted} accepted`, `${answered} answered`],
    ['latency', 'p50', 'p95', 'p99', 'max'],
    ['  accepted', ...latencies(result.acceptedMs)],
    ['  answered', ...latencies(result.answeredMs)],
    ...(errors.length > 0 ? errors.map(([code, count]) => ['error', code, String(count)]) : [['errors', 'none']]),
    ['lost', lost === 0 ? 'none' : `${lost} without an answer${interrupted ? ' at the interruption' : ''}`],
    ...(untimed > 0 ? [['', `${untimed} answers came while the stream of events was interrupted`]] : []),
    ...(interrupted ? [['', 'interrupted']] : []),
  ])
}

const latencies = (found: Quantiles | undefined): string[] =>
  found ? [found.p50, found.p95, found.p99, found.max].map((ms) => `${number(ms)} ms`) : ['none']

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 1 })

function rows(cells: readonly (readonly string[])[]): string {
  const widths = cells.reduce<number[]>(
    (all, row) =>
      row.map((cell, at) => Math.max(all[at] ?? 0, row.length > 2 ? cell.length : 0)).concat(all.slice(row.length)),
    [],
  )
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
