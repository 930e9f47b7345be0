// Runs the contract of adapters and writes docs/platforms.md: what each platform of this project can, as the tests show
// it. Names of adapters as arguments run only these, and leave the other columns as they are.
//
//   node tools/platform-table.mjs
//   node tools/platform-table.mjs lark slack
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildOrExit } from './build.mjs'
import { root, run } from './lib.mjs'
import { ROWS } from './platform-rows.mjs'

const PAGE = 'docs/platforms.md'
const PREFIX = 'adapter-'
const COMMAND = 'node tools/platform-table.mjs'
export const MARKS = { whole: '✓', part: '◐', elsewhere: '○', no: '–' }
const IN_CONTRACT = [MARKS.whole, MARKS.part]

const HEAD = `# What each platform can

The [contract of adapters](adapters.md#testing-it) runs the same tests against every adapter. This page is written by \`${COMMAND}\` from what they show, and from the tables *Acceptance* in the READMEs of the adapters.

| | |
|---|---|
| ${MARKS.whole} | the contract shows it |
| ${MARKS.part} | the contract shows a part of it |
| ${MARKS.elsewhere} | not in the contract; the remark names the tests that show it, or what the adapter does |
| ${MARKS.no} | no; the remark has the reason |

A word such as *mailbox* in a remark is the name of a test file of the adapter.

IRC, mail and XMPP are tested with real servers, Matrix with one whose answers were recorded from Synapse. The others are tested with programs that are written after the documents of their platform.
`

/** The names of the adapters, without what they begin with. */
export const adaptersIn = (folder = root) =>
  readdirSync(join(folder, 'plugins'))
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length))
    .sort()

/** Returns the numbers that the first cell of a row begins its names with: `4, 5 replies, mentions`. */
const numbersIn = (cell) =>
  Array.from(cell.matchAll(/(?:^|, )(\d{1,2})(?=[ ,])/g), ([, number]) => Number(number)).filter(
    (number) => number <= ROWS.length,
  )

/** Returns what the table *Acceptance* of a README says, by the number of the row. */
export function acceptanceOf(readme) {
  const [, section = ''] = /^## Acceptance$([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(readme) ?? []
  const found = new Map()
  for (const line of section.split('\n').filter((text) => text.startsWith('|'))) {
    const [first = '', verdict = '', text = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    const isPlain = ['yes', 'no', 'in part'].includes(verdict)
    const remark = [isPlain ? '' : verdict, text].filter(Boolean).join(': ')
    for (const number of numbersIn(first)) found.set(number, { has: verdict !== 'no', remark })
  }
  return found
}

/**
 * Returns the mark of each row that the contract shows, by its number.
 *
 * @param results of mocha's reporter `json`
 * @throws Error where a test failed or a suite could not run
 */
export function shownBy({ passes, pending, failures }) {
  const titleOf = ({ fullTitle }) => /: the contract of adapters (?:\((?<reason>.*?)\) )?(?<title>.*)$/s.exec(fullTitle)
  const failed = failures.map(({ fullTitle, err }) => `${fullTitle}: ${err?.message}`)
  const absent = pending.flatMap((test) => titleOf(test)?.groups.reason ?? [])
  const faults = [...failed, ...new Set(absent)]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const passed = passes.flatMap((test) => titleOf(test)?.groups.title ?? [])
  const shown = new Map()
  for (const { number, tests } of ROWS) {
    const found = tests.filter((begin) => passed.some((title) => title.startsWith(begin)))
    if (found.length > 0) shown.set(number, found.length === tests.length ? MARKS.whole : MARKS.part)
  }
  return shown
}

/** Returns the marks of the contract in a page, by adapter and row. */
export function marksIn(page) {
  const lines = page.split('\n')
  const head = lines.find((line) => line.startsWith('| row | | [')) ?? ''
  const names = Array.from(head.matchAll(/\[([\w-]+)\]/g), ([, name]) => name)
  const marks = new Map(names.map((name) => [name, new Map()]))
  for (const row of lines.filter((line) => /^\| \d+ \|/.test(line))) {
    const [number, , ...cells] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    for (const [index, cell] of cells.entries())
      if (IN_CONTRACT.includes(cell)) marks.get(names[index])?.set(Number(number), cell)
  }
  return marks
}

/** Returns the mark and the remark of a cell. */
function cellOf(name, row, shown, said) {
  const mark = shown ?? (said?.has ? MARKS.elsewhere : MARKS.no)
  if (mark === MARKS.whole) return { mark }
  if (!said?.remark)
    throw new Error(
      `plugins/${PREFIX}${name}/README.md needs a remark in its table Acceptance: the contract does not show ` +
        `row ${row.number}, ${row.name}`,
    )
  return { mark, remark: said.remark }
}

/**
 * Returns the page.
 *
 * @param marks of the contract, by adapter and row
 * @param readmes of the adapters
 */
export function pageOf(marks, readmes) {
  const names = [...readmes.keys()]
  const cells = names.map((name) => {
    const said = acceptanceOf(readmes.get(name))
    return ROWS.map((row) => cellOf(name, row, marks.get(name)?.get(row.number), said.get(row.number)))
  })
  const table = [
    `| row | | ${names.map((name) => `[${name}](../plugins/${PREFIX}${name}/README.md)`).join(' | ')} |`,
    `|---|---|${names.map(() => '---|').join('')}`,
    ...ROWS.map(
      ({ number, name }, index) => `| ${number} | ${name} | ${cells.map((column) => column[index].mark).join(' | ')} |`,
    ),
  ]
  const remarks = names.map((name, index) => {
    const rows = cells[index].flatMap(({ mark, remark }, at) =>
      remark ? [`| ${mark} | ${ROWS[at].number} ${ROWS[at].name} | ${remark} |`] : [],
    )
    return ['', `### ${name}`, '', '| | row | remark |', '|---|---|---|', ...rows].join('\n')
  })
  return `${HEAD}\n${table.join('\n')}\n\n## Remarks\n${remarks.join('\n')}\n`
}

/** Returns the READMEs of the adapters by name. */
export const readmesIn = (folder = root) =>
  new Map(
    adaptersIn(folder).map((name) => [
      name,
      readFileSync(join(folder, 'plugins', `${PREFIX}${name}`, 'README.md'), 'utf8'),
    ]),
  )

/** The contract of an adapter, which some run with a server of another program. */
const CONTRACT = /^adapter-contract(?:\.system)?\.test\.js$/

/** Runs the contract of one adapter, and returns the marks that it shows. */
async function runContract(name) {
  const folder = mkdtempSync(join(tmpdir(), 'mynah-platforms-'))
  const output = join(folder, 'results.json')
  try {
    const tests = `plugins/${PREFIX}${name}/dist/test`
    const file = join(
      tests,
      readdirSync(join(root, tests)).find((entry) => CONTRACT.test(entry)),
    )
    const reporter = ['--reporter', 'json', '--reporter-option', `output=${output}`]
    const code = await run('mocha', ['--no-config', '--exit', '--timeout', '60000', ...reporter, file])
    if (!existsSync(output)) throw new Error(`${file} ended with ${code}, and without results`)
    return shownBy(JSON.parse(readFileSync(output, 'utf8')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function main(chosen) {
  const adapters = adaptersIn()
  const unknown = chosen.filter((name) => !adapters.includes(name))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: there is no such adapter`)
  await buildOrExit()
  const page = join(root, PAGE)
  const marks = chosen.length > 0 ? marksIn(readFileSync(page, 'utf8')) : new Map()
  for (const name of chosen.length > 0 ? chosen : adapters) {
    process.stderr.write(`the contract of ${name} …\n`)
    marks.set(name, await runContract(name))
  }
  writeFileSync(page, pageOf(marks, readmesIn()))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2))
