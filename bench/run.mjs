// `npm run bench [-- runs [section…]]`: all figures, also those of the peers if their folder exists.
// BENCH_PEERS names the folder of the peers. They are copied and installed first.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const runs = process.argv[2] ?? '3'
const wanted = process.argv.slice(3)
const source = process.env.BENCH_PEERS ?? join(root, '../shared/bench/peers')
const has = (section) => wanted.length === 0 || wanted.includes(section)
const rows = []
const failed = []

/** Runs a program and keeps its JSON lines. */
function collect(subject, args, options = {}) {
  process.stderr.write(`· ${subject}\n`)
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 1_800_000,
    ...options,
  })
  for (const line of (stdout ?? '').split('\n')) {
    if (!line.startsWith('{')) continue
    console.log(line)
    rows.push({ source: subject, ...JSON.parse(line) })
  }
  if (status !== 0) failed.push(`${subject}: ${(stderr ?? '').trim().split('\n').at(-1) ?? `status ${status}`}`)
}

const bench = (file) => join(root, 'bench', file)
let peers
if (existsSync(source)) {
  peers = mkdtempSync(join(tmpdir(), 'mynah-peers-'))
  cpSync(source, peers, { recursive: true, filter: (path) => !path.includes('node_modules') })
  spawnSync('chmod', ['-R', 'u+w', peers])
  const needed = { kernel: ['koishi', 'cordis4'], chat: ['koishi'], http: ['http'], sse: [] }
  const folders = new Set(
    Object.entries(needed)
      .filter(([section]) => has(section))
      .flatMap(([, list]) => list),
  )
  for (const folder of readdirSync(peers)) {
    if (!folders.has(folder)) continue
    process.stderr.write(`· installing ${folder}\n`)
    const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: join(peers, folder),
      encoding: 'utf8',
    })
    if (status !== 0) failed.push(`installing ${folder}: ${stderr.trim().split('\n').at(-1)}`)
  }
} else process.stderr.write(`no peers at ${source}: only ours is measured\n`)

try {
  if (has('kernel')) collect('mynah', [bench('kernel/bench.mjs'), runs])
  if (has('chat')) collect('mynah', [bench('chat/bench.mjs'), runs])
  if (peers && (has('kernel') || has('chat'))) collect('koishi', ['bench.mjs', runs], { cwd: join(peers, 'koishi') })
  if (peers && has('kernel')) collect('cordis4', ['bench.mjs', runs], { cwd: join(peers, 'cordis4') })
  if (has('http')) collect('http', [bench('http/bench.mjs'), peers ?? '', runs])
  if (has('sse')) collect('sse', [bench('sse/bench.mjs'), peers ?? '', runs])
  if (has('beside')) collect('beside', [bench('beside/bench.mjs'), runs])
  if (has('store')) collect('store', [bench('store/bench.mjs')])
  if (has('ai')) collect('ai', [bench('ai/bench.mjs'), runs])
  if (has('agent')) collect('agent', [bench('agent/bench.mjs'), runs])
  if (has('exec')) {
    collect('exec', [bench('exec/levels.mjs'), String(Math.max(20, Number(runs)))])
    collect('exec', [bench('exec/decisions.mjs')])
  }
  if (has('knowledge')) collect('knowledge', [bench('knowledge/bench.mjs')])
  if (has('start')) collect('start', [bench('start/bench.mjs'), runs])
} finally {
  if (peers) rmSync(peers, { recursive: true, force: true })
}

const find = (source, name, where = () => true) =>
  rows.find((row) => row.source === source && row.case === name && where(row))
const gates = []
function gate(kind, name, ours, bar, note = '') {
  if (ours === undefined) return
  gates.push({ kind, name, ours, bar: bar.text, met: bar.test(ours), note })
}
const atLeast = (min) => ({ text: `≥ ${min}`, test: (value) => value >= min })
const atMost = (max) => ({ text: `≤ ${max}`, test: (value) => value <= max })
const ratio = (ours, theirs) => (ours === undefined || !theirs ? undefined : +(ours / theirs).toFixed(2))

const ours200 = find('mynah', 'dispatch', (row) => row.commands === 200)
const ours1 = find('mynah', 'dispatch', (row) => row.commands === 1)
const koishi = find('koishi', 'dispatch', (row) => row.commands === 200)
gate(
  'gate',
  'command message, × Koishi',
  ratio(ours200?.command_per_s, koishi?.piped64_last_command_per_s),
  atLeast(60),
)
gate('gate', 'command message, 200 commands ÷ 1', ratio(ours200?.command_per_s, ours1?.command_per_s), atLeast(0.9))
gate('', 'chat line, per CPU s', ours200?.chat_group_per_s, atLeast(100_000))
gate('', '200 endpoints, 10 messages a second each, p99 ms', find('mynah', 'endpoints')?.p99_ms, atMost(50))
const perCommand = (name) => find('exec', `a command: ${name}`)?.above_bash_ms
gate('', 'a command at level wall, ms above bash', perCommand('wall'), atMost(7))
gate('', 'the same with network by perl', perCommand('wall with network by perl'), atMost(20))
gate('', '12 commands of 200 ms at once, ms', find('exec', 'twelve sleeps of 200 ms at once')?.ms, atMost(300))
const churn = find('mynah', 'churn')
gate(
  'gate',
  'load + unload, per CPU s',
  churn?.cycles_per_s,
  atLeast(5_000),
  find('koishi', 'churn') ? `Koishi ${find('koishi', 'churn').cycles_per_s}` : '',
)
gate('gate', 'heap a cycle, bytes', churn?.leak_bytes_per_cycle, atMost(50))
gate('gate', 'residue', churn?.residue, atMost(0))
gate(
  '',
  'emit to 10 listeners, per CPU s',
  find('mynah', 'emit')?.emit_per_s,
  atLeast(5_000_000),
  find('koishi', 'events') ? `Koishi ${find('koishi', 'events').emit_per_s}` : '',
)
gate('', 'restart by configuration, per CPU s', find('mynah', 'restart')?.restarts_per_s, atLeast(10_000))
gate('', 'update in place, per CPU s', find('mynah', 'update')?.updates_per_s, atLeast(500_000))
gate('', 'provider gone and back, 100 consumers', find('mynah', 'flap')?.flaps_per_s, atLeast(300))
gate('', 'bare kernel, CPU ms', find('mynah', 'boot')?.cpu_ms, atMost(100))
gate('', 'bare kernel, heap MiB', find('mynah', 'boot')?.heap_mb, atMost(5))
const row = (name, subject) => rows.find((each) => each.case === name && each.subject === subject)
gate(
  '',
  'GET stats ÷ koa + @koa/router',
  ratio(row('http-stats', 'mynah')?.per_cpu_s, row('http-stats', 'koa + @koa/router')?.per_cpu_s),
  atLeast(0.9),
)
gate(
  '',
  'stream, single events ÷ raw',
  ratio(
    row('sse-single-500', 'mynah')?.deliveries_per_cpu_s,
    row('sse-single-500', 'raw res.write')?.deliveries_per_cpu_s,
  ),
  atLeast(0.95),
)
gate(
  '',
  'stream, bursts ÷ raw',
  ratio(
    row('sse-burst-2000', 'mynah')?.deliveries_per_cpu_s,
    row('sse-burst-2000', 'raw res.write')?.deliveries_per_cpu_s,
  ),
  atLeast(5),
)
const turn = (subject) => row('agent-turn', subject)?.us_cpu_per_turn
gate(
  'gate',
  'agent turn of three steps, × streamText',
  ratio(turn('streamText'), turn('loop')),
  atLeast(15),
  turn('generateText') ? `generateText ${turn('generateText')} µs, streamText ${turn('streamText')} µs` : '',
)
gate('gate', 'agent turn of three steps, µs CPU', turn('loop'), atMost(250))
gate('', 'the same through the service Models, µs CPU', turn('models'), atMost(300))
gate('', 'plugin ai, cold import, CPU ms', find('ai', 'agent-import')?.cpu_ms, atMost(30))
gate('', 'plugin ai, cold import, MiB', find('ai', 'agent-import-memory')?.mib, atMost(8))
gate('', 'whole turns through chat, per CPU s', find('agent', 'agent-chat')?.turns_per_cpu_s, atLeast(1_000))
gate('', 'the same stored, 16 in flight, per s', find('agent', 'agent-stored')?.in_flight_16_per_s, atLeast(100))
gate('', 'the same stored, one in flight, ms', find('agent', 'agent-stored')?.in_flight_1_ms, atMost(15))
gate('', 'view of a session with 100,000 entries, ms', find('agent', 'agent-view')?.p50_ms, atMost(2))
const stored = (name) => rows.find((each) => each.case === name)
const knowledge = find('knowledge', 'knowledge-sqlite')
gate('', '10,000 passages of documents indexed, s', knowledge?.index_s, atMost(60))
gate('', 'the event loop held meanwhile, ms', knowledge?.index_held_ms, atMost(50))
gate('', 'search among them, p95 ms', knowledge?.search_p95_ms, atMost(50))
gate('', 'stored messages per s, 64 in flight', stored('stored-messages')?.in_flight_64_per_s, atLeast(2_000))
gate('', 'stored messages, median ms', stored('stored-messages')?.in_flight_64_p50_ms, atMost(5))
gate('', 'stored messages per s, one in flight', stored('stored-messages')?.in_flight_1_per_s, atLeast(600))
gate('', 'logs, page of 50 of 100,000, ms', stored('logs')?.page_ms, atMost(5))
gate('', 'logs with search, ms', stored('logs')?.search_ms, atMost(Infinity))
gate('', 'inbox, page of 50 of 1,000,000, ms', stored('inbox')?.page_ms, atMost(30))
gate('', 'inbox, page of unread ones, ms', stored('inbox')?.unread_ms, atMost(30))
gate('', 'db:select page 1 of 100,000, ms', stored('db-select')?.page_1_ms, atMost(Infinity))
gate('', 'db:select page 1,000, ms', stored('db-select')?.page_1000_ms, atMost(Infinity))
gate('', 'event to 10,000 clients, p99 ms', stored('sse-10000')?.p99_ms, atMost(500))
gate('', 'memory with 10,000 clients, MB', stored('sse-10000')?.rss_mb, atMost(350))
const [starter, lean] = [stored('starter-host'), stored('lean-host')]
gate('', 'lean host listening, ms', lean?.listening_ms, atMost(1_000))
gate('', 'lean host at rest, MB', lean?.idle_rss_mb, atMost(105))
gate('', 'starter host listening, × lean', ratio(starter?.listening_ms, lean?.listening_ms), atMost(1.4))
gate('', 'starter host at rest, × lean', ratio(starter?.idle_rss_mb, lean?.idle_rss_mb), atMost(1.45))

console.log('')
for (const { kind, name, ours, bar, met, note } of gates)
  console.log(
    `${met ? '✓' : '✗'} ${kind.padEnd(5)}${name.padEnd(44)}${String(ours).padStart(12)}   ${bar.padEnd(12)}${note}`,
  )
for (const line of failed) console.log(`! ${line}`)
if (failed.length || gates.some(({ kind, met }) => kind === 'gate' && !met)) process.exitCode = 1
