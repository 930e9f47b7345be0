// Draws docs/architecture.svg: all packages and who imports whom, from their sources. --check only compares.
//
// A package is one row above the highest package that it imports. An arrow that follows from other arrows is left out.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importsOf } from './check-arrows.mjs'
import { filesIn, root, workspaces } from './lib.mjs'

const FILE = 'docs/architecture.svg'

/** Areas of the project: title, colour, packages. A package without an area is drawn in grey. */
const AREAS = [
  ['foundation', '#d9dde3', ['contract', 'kernel', 'create-mynah', 'mynah']],
  ['browser', '#cfe3f5', ['sdk', 'console', 'adapter-sandbox/client']],
  [
    'control plane',
    '#cdeae0',
    'http-core events console-rpc entries management workspace logs introspection marketplace'.split(' '),
  ],
  ['storage', '#e6e0c8', ['database-api', 'database']],
  ['chat', '#f6dfc4', 'chat inbox renderer exec-security'.split(' ')],
  [
    'platforms',
    '#f5d0d0',
    [
      'sandbox',
      'dingtalk',
      'discord',
      'irc',
      'lark',
      'mail',
      'matrix',
      'onebot',
      'slack',
      'telegram',
      'webhook',
      'xmpp',
    ].map((name) => `adapter-${name}`),
  ],
  ['agent', '#e0d6f2', 'ai agent toolbox skills memory knowledge tasks mcp speech'.split(' ')],
  ['jobs', '#d8e8c8', ['cron', 'assistant']],
]
const BOX = { width: 112, height: 30, gap: 14 }
const ROW = 84
const MARGIN = 24
const LEGEND = 44

const isSource = (file) =>
  /^(?:client\/)?src\/.*\.tsx?$/.test(file) && !/(?:^|\/)test(?:ing)?\/|\.test\.|\.d\.ts$/.test(file)
const shortName = (workspace) => workspace.replace('plugins/', '')

/** Returns the package that an import names, or undefined where it is not one of ours. */
function packageOf(specifier) {
  const [, scoped, facade] = /^(?:@mynah\/(?:plugin-)?([\w-]+)|(mynah))(?:\/|$)/.exec(specifier) ?? []
  return scoped ?? facade
}

/** Returns the packages, each with all that it imports. Pages of a plugin are a package of their own. */
export function packageGraph(from = root) {
  const graph = new Map()
  for (const workspace of workspaces(from).filter((name) => !name.startsWith('examples/'))) {
    for (const file of filesIn(join(from, workspace), isSource)) {
      const name = shortName(workspace) + (file.startsWith('client/') ? '/client' : '')
      const known = graph.get(name) ?? new Set()
      graph.set(name, known)
      for (const { to } of importsOf(readFileSync(join(from, workspace, file), 'utf8'))) {
        const target = packageOf(to)
        if (target && target !== name) known.add(target)
      }
    }
  }
  return graph
}

/** Returns all packages that `name` reaches. */
function reached(graph, name, seen = new Set()) {
  for (const target of graph.get(name) ?? []) {
    if (seen.has(target)) continue
    seen.add(target)
    reached(graph, target, seen)
  }
  return seen
}

/** Returns the arrows that do not follow from others. */
export function reduced(graph) {
  return new Map(
    Array.from(graph, ([name, targets]) => [
      name,
      [...targets].filter(
        (target) => ![...targets].some((other) => other !== target && reached(graph, other).has(target)),
      ),
    ]),
  )
}

/** Returns the packages by row, the ones that import nothing first. Throws for a circle. */
export function rowsOf(graph) {
  const levels = new Map()
  const levelOf = (name, path) => {
    if (path.includes(name)) throw new Error(`a circle of packages: ${[...path, name].join(' → ')}`)
    if (!levels.has(name)) {
      const below = Array.from(graph.get(name) ?? [], (target) => levelOf(target, [...path, name]))
      levels.set(name, Math.max(-1, ...below) + 1)
    }
    return levels.get(name)
  }
  for (const name of graph.keys()) levelOf(name, [])
  const rows = []
  for (const [name, level] of levels) (rows[level] ??= []).push(name)
  return rows
}

/** Orders each row by the middle of what its packages point to and are pointed at, so that few arrows cross. */
function placed(rows, arrows) {
  const width = Math.max(...rows.map(({ length }) => length)) * (BOX.width + BOX.gap) - BOX.gap + 2 * MARGIN
  const centers = new Map()
  const place = (row) => {
    const left = (width - row.length * (BOX.width + BOX.gap) + BOX.gap) / 2
    for (const [index, name] of row.entries()) centers.set(name, left + index * (BOX.width + BOX.gap) + BOX.width / 2)
  }
  for (const row of rows) place(row.sort())
  const neighbours = new Map(rows.flat().map((name) => [name, [...(arrows.get(name) ?? [])]]))
  for (const [name, targets] of arrows) for (const target of targets) neighbours.get(target).push(name)
  const middle = (name) => {
    const near = neighbours.get(name).map((other) => centers.get(other))
    return near.length ? near.reduce((sum, x) => sum + x, 0) / near.length : centers.get(name)
  }
  for (let round = 0; round < 8; round++) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      const wanted = new Map(row.map((name) => [name, middle(name)]))
      place(row.sort((a, b) => wanted.get(a) - wanted.get(b) || a.localeCompare(b)))
    }
  }
  return { width, centers }
}

const areaOf = (name) => AREAS.find(([, , names]) => names.includes(name))?.[1] ?? '#eeeeee'

/** Returns the picture. */
export function draw(graph) {
  const rows = rowsOf(graph)
  const arrows = reduced(graph)
  const { width, centers } = placed(rows, arrows)
  const height = rows.length * ROW + LEGEND + MARGIN
  const top = new Map(
    rows.flatMap((row, level) => row.map((name) => [name, MARGIN + LEGEND + (rows.length - 1 - level) * ROW])),
  )
  const lines = Array.from(arrows).flatMap(([name, targets]) =>
    [...targets].sort().map((target) => {
      const [x1, y1] = [centers.get(name), top.get(name) + BOX.height]
      const [x2, y2] = [centers.get(target), top.get(target) - 5]
      const bend = Math.min(60, (y2 - y1) / 2)
      return `<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}"/>`
    }),
  )
  const boxes = rows.flat().map((name) => {
    const [x, y] = [centers.get(name) - BOX.width / 2, top.get(name)]
    const label = name.replace('adapter-sandbox/client', 'sandbox page')
    const box = `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4" fill="${areaOf(name)}"/>`
    return `${box}<text x="${centers.get(name)}" y="${y + 20}">${label}</text>`
  })
  const legend = AREAS.map(([title, colour], index) => {
    const x = MARGIN + index * BOX.width
    const box = `<rect x="${x}" y="${MARGIN - 10}" width="14" height="14" rx="3" fill="${colour}"/>`
    return `${box}<text x="${x + 20}" y="${MARGIN + 2}" text-anchor="start">${title}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>Packages of Mynah: an arrow points from a package to one that it imports</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#666" stroke="none"/></marker></defs>
<rect width="100%" height="100%" fill="#ffffff"/>
<g fill="none" stroke="#888" stroke-width="1.2" marker-end="url(#tip)">
${lines.join('\n')}
</g>
<g stroke="#555" font-family="sans-serif" font-size="12" text-anchor="middle">
${[...boxes, ...legend].map((line) => line.replaceAll('<text', '<text stroke="none" fill="#222"')).join('\n')}
</g>
</svg>
`
}

/** Writes the picture, or only compares it with `check`. Returns what is wrong, one line each. */
export function architecture({ check }) {
  const wanted = draw(packageGraph())
  const file = join(root, FILE)
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) return []
  if (check) return [`${FILE} does not show the imports of the sources; run: node tools/draw-architecture.mjs`]
  writeFileSync(file, wanted)
  return []
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const faults = architecture({ check: process.argv.includes('--check') })
  for (const line of faults) process.stderr.write(`${line}\n`)
  process.exitCode = faults.length ? 1 : 0
}
