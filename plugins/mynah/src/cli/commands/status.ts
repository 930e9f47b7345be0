import { dirname, join, resolve } from 'node:path'
import type { Arguments } from '../arguments.js'
import { ask } from '../control.js'
import { EXIT } from '../exit-codes.js'
import type { StatusReport } from '../protocol.js'
import { UserError } from '../user-error.js'
import { visibleLines } from '../visible.js'

/** Shows how the running host is. Exits with 1 where none runs. */
export async function status({ config, options }: Arguments): Promise<number> {
  const answer = await ask(join(dirname(resolve(config)), 'data'), { do: 'status' })
  if (!answer)
    throw new UserError(`no host of ${config} is running`, {
      exitCode: EXIT.failure,
      remedy: 'Start it with: mynah start',
    })
  if ('error' in answer) throw new UserError(answer.error, { exitCode: EXIT.failure })
  const { pid, report } = answer
  if (!report) throw new UserError('the host is starting or stopping', { exitCode: EXIT.failure })
  const text = options.has('json') ? JSON.stringify({ pid, ...report }, undefined, 2) : linesOf(pid, report).join('\n')
  process.stdout.write(`${visibleLines(text)}\n`)
  return EXIT.ok
}

function linesOf(pid: number, { version, startedAt, api, running, troubled, checks, hosts }: StatusReport): string[] {
  const address = api ? `, at ${new URL(api).origin}` : ''
  return [
    `mynah ${version}, process ${pid}, started ${new Date(startedAt).toISOString()}${address}`,
    `plugins: ${running} run`,
    ...columns(troubled.map(({ name, state, reason }) => [name, state, reason])),
    ...(checks.length > 0 ? ['checks'] : []),
    ...columns(checks.map((check) => [check.name, check.status, check.reason ?? ''])),
    ...(hosts ? ['hosts of this database'] : []),
    ...columns(
      (hosts ?? []).map(({ name, state, places, drains, self, version: own, revision, ...host }) => [
        name,
        state,
        own,
        [
          places.length > 0 ? `runs ${places.join(', ')}` : 'runs nothing',
          ...(drains && state === 'live' ? ['(takes no places)'] : []),
          ...(revision === undefined ? [] : [`(configuration ${revision})`]),
          ...[host.revisionProblem, host.waitsFor && `waits: ${host.waitsFor}`].flatMap((reason) =>
            reason ? [`(${reason})`] : [],
          ),
          ...(self ? ['(this host)'] : []),
        ].join(' '),
      ]),
    ),
  ]
}

/** Aligns the cells of rows below each other. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, cell.length)), [])
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}
