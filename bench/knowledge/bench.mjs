// `node bench/knowledge/bench.mjs [sqlite] [postgres]`: 10,000 passages are indexed, then searched. How long it takes,
// how long the event loop is held up meanwhile, and the 95th percentile of a search.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openStore } from '../../plugins/database/dist/testing/index.js'
import { Rig } from '../../plugins/knowledge/dist/test/support.js'

const DOCUMENTS = 500
const SECTIONS = 20
const QUESTIONS = 100
const systems = process.argv.slice(2)
const round = (value) => +value.toFixed(1)

/** The same numbers in each run. */
let seed = 7
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
/** Few words are frequent, as in languages. */
const rank = (most) => Math.floor(most ** random()) - 1
const word = (index) => `w${index.toString(36)}`
const character = (index) => String.fromCodePoint(0x4e00 + index)
const sentence = (at) =>
  at % 3 === 0
    ? `${Array.from({ length: 40 }, () => character(rank(3_000))).join('')}。`
    : `${Array.from({ length: 14 }, () => word(rank(30_000))).join(' ')}.`
const section = (at) =>
  `## ${sentence(at).slice(0, 30)}\n\n${Array.from({ length: 9 }, () => sentence(at)).join(' ')}\n`

const root = mkdtempSync(join(tmpdir(), 'mynah-bench-'))
mkdirSync(join(root, 'docs'))
for (let at = 0; at < DOCUMENTS; at++) {
  const text = Array.from({ length: SECTIONS }, () => section(at)).join('\n')
  writeFileSync(join(root, 'docs', `${at}.md`), `# Document ${at}\n\n${text}`)
}

async function measure(system) {
  const opened = await openStore(system)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  const rig = await Rig.start(opened, { house: ['docs'] }, root)
  const seconds = (performance.now() - start) / 1_000
  const indexing = delay.max / 1e6
  const { chunks } = await rig.knowledge.store.figures('house')
  delay.reset()
  const took = []
  for (let at = 0; at < QUESTIONS; at++) {
    const question = sentence(at).slice(0, at % 3 === 0 ? 12 : 40)
    const began = performance.now()
    await rig.search(question, ['house'])
    took.push(performance.now() - began)
  }
  took.sort((a, b) => a - b)
  console.log(
    JSON.stringify({
      case: `knowledge-${system}`,
      chunks,
      index_s: round(seconds),
      index_held_ms: round(indexing),
      search_p50_ms: round(took[QUESTIONS >> 1]),
      search_p95_ms: round(took[Math.floor(QUESTIONS * 0.95)]),
      search_held_ms: round(delay.max / 1e6),
    }),
  )
  await rig.knowledge.stop()
  await opened.close()
}

try {
  for (const system of systems.length > 0 ? systems : ['sqlite']) await measure(system)
} finally {
  rmSync(root, { recursive: true, force: true })
}
process.exit()
