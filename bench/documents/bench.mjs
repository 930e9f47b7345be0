// `node bench/documents/bench.mjs [case…]`: documents, harmless and hostile, through the reader of the agent. For each:
// the peak of the memory of this process and of the one that reads, in MB, and how long the event loop was held up, in
// ms. Each case runs in a process of its own. Linux only: the peaks are those of the kernel.
import { spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'
import { deflateSync } from 'node:zlib'
import { systemClock } from '@mynah/kernel'
import { DocumentReader } from '../../plugins/agent/dist/documents/reader.js'
import {
  docx,
  paragraph,
  pdf,
  pdfOf,
  stream,
  xlsx,
  zip,
  zipBomb,
} from '../../plugins/agent/dist/documents/test/files.js'

const MB = 1024 * 1024
const FULL = 20 * MB
const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const page = (more = '') => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R ${more} >>`
const binary = (bytes) => bytes.toString('latin1')
const onePage = (content, dictionary) => pdfOf([CATALOGUE, PAGES, page(), stream(content, dictionary)])
const lines = (bytes) => 'plums and kites, 12, 3.5\n'.repeat(bytes / 25)

/** Returns a bomb of so many bytes in each of two layers. */
const twice = (size) => binary(deflateSync(deflateSync(Buffer.alloc(size, ' '), { level: 1 })))

function objectStream(count) {
  const head = Array.from({ length: count }, (_, at) => `${at + 10} ${at * 8}`).join(' ')
  const body = `${head} ${'[1 2 3] '.repeat(count)}`
  const objects = [
    CATALOGUE,
    PAGES,
    page(),
    stream('BT ET'),
    stream(binary(deflateSync(body)), `/Type /ObjStm /N ${count} /First ${head.length + 1} /Filter /FlateDecode`),
  ]
  return pdfOf(objects)
}

function image(width, height) {
  const size = `/Width ${width} /Height ${height} /BitsPerComponent 8`
  const xobject = `/Type /XObject /Subtype /Image ${size} /ColorSpace /DeviceRGB`
  const pixels = binary(deflateSync(Buffer.alloc(Math.min(width * height * 3, 300 * MB))))
  return pdfOf([
    CATALOGUE,
    PAGES,
    page('/Resources << /XObject << /I 5 0 R >> >>'),
    stream('q 9 0 0 9 0 0 cm /I Do Q'),
    stream(pixels, `${xobject} /Filter /FlateDecode`),
  ])
}

/** Returns an archive that says its file has 1,000 bytes. */
function lyingBomb() {
  const bomb = zipBomb(400 * MB)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(400 * MB)
  for (let at = bomb.indexOf(size); at >= 0; at = bomb.indexOf(size)) bomb.writeUInt32LE(1_000, at)
  return bomb
}

const noise = (size) => binary(randomFillSync(Buffer.alloc(size)))
const rows = (count) => `<row>${'<c><v>12</v></c>'.repeat(10)}</row>`.repeat(count)

const cases = {
  'PDF, 200 pages': () => ['a.pdf', pdf(Array(200).fill('ten plums\n'.repeat(40)))],
  'PDF, 20 MB': () => [
    'a.pdf',
    pdfOf([CATALOGUE, PAGES, page(), stream('BT /F 12 Tf (ten plums) Tj ET'), stream(noise(FULL - 2_000))]),
  ],
  'PDF, content of 400 MB in 2 layers': () => [
    'a.pdf',
    onePage(twice(400 * MB), '/Filter [/FlateDecode /FlateDecode]'),
  ],
  'PDF, content of 40 MB': () => [
    'a.pdf',
    onePage(binary(deflateSync('(plums) Tj '.repeat(4_000_000))), '/Filter /FlateDecode'),
  ],
  'PDF, 500,000 objects in a stream': () => ['a.pdf', objectStream(500_000)],
  'PDF, image of 30,000 × 30,000': () => ['a.pdf', image(30_000, 30_000)],
  'PDF, 10,000,000 nested arrays': () => ['a.pdf', onePage('['.repeat(10_000_000))],
  'PDF, nested dictionaries as its catalogue': () => ['a.pdf', pdfOf(['<< /A '.repeat(2_000_000)])],
  'Word, 60 MB unpacked': () => ['a.docx', docx(paragraph('ten plums').repeat(1_000_000))],
  'Word, 60 MB of nested elements': () => ['a.docx', docx('<w:p>'.repeat(12_000_000))],
  'Word, bomb of 400 MB': () => ['a.docx', zipBomb(400 * MB)],
  'Word, bomb that hides its size': () => ['a.docx', lyingBomb()],
  'Excel, 20 MB of noise in it': () => [
    'a.xlsx',
    zip({ 'xl/workbook.xml': '<workbook/>', 'xl/media/a.png': randomFillSync(new Uint8Array(FULL - 1_000)) }),
  ],
  'Excel, 60 MB unpacked': () => ['a.xlsx', xlsx({ Plums: rows(350_000) })],
  'Excel, 4,000,000 shared texts': () => [
    'a.xlsx',
    xlsx({ Plums: rows(10) }, { shared: '<si><t/></si>'.repeat(4_000_000) }),
  ],
  'CSV, 20 MB': () => ['a.csv', Buffer.from(lines(FULL))],
  'HTML, 20 MB of nested elements': () => ['a.html', Buffer.from('<div>'.repeat(FULL / 5))],
  'e-mail, 20 MB of nested parts': () => {
    const part = 'Content-Type: message/rfc822\r\n\r\n'
    return ['a.eml', Buffer.from(`From: a@b\r\n${part.repeat(FULL / part.length - 1)}`)]
  },
}

/** Watches the peak of the children of this process. */
function watchChildren() {
  let peak = 0
  let children = 0
  const seen = new Set()
  setInterval(() => {
    for (const task of readdirSync('/proc/self/task'))
      for (const pid of readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean)) {
        try {
          const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
          peak = Math.max(peak, Number(kb ?? 0) / 1024)
          if (!seen.has(pid)) children = seen.add(pid).size
        } catch {
          // It has just ended.
        }
      }
  }, 5)
  parentPort.on('message', () => parentPort.postMessage({ peak, children }))
}

async function measure(name) {
  const [file, bytes] = cases[name]()
  const watch = new Worker(new URL(import.meta.url))
  await new Promise((resolve) => watch.once('online', resolve))
  const reader = new DocumentReader({ clock: systemClock, log: { debug() {} } })
  globalThis.gc()
  const before = process.memoryUsage.rss()
  let host = before
  const sampling = setInterval(() => (host = Math.max(host, process.memoryUsage.rss())), 5)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  const options = { chat: 'a', signal: new AbortController().signal }
  const { text = '', pages, problem } = (await reader.read({ bytes, name: file, mediaType: '' }, options)) ?? {}
  const ms = Math.round(performance.now() - began)
  const cpu = process.cpuUsage(cpuBefore)
  delay.disable()
  clearInterval(sampling)
  const answer = new Promise((resolve) => watch.once('message', resolve))
  watch.postMessage('peak')
  const { peak } = await answer
  const figures = {
    case: name,
    file_mb: +(bytes.length / MB).toFixed(1),
    reader_peak_mb: Math.round(peak),
    host_growth_mb: Math.round((host - before) / MB),
    host_cpu_ms: Math.round((cpu.user + cpu.system) / 1000),
    loop_p99_ms: +(delay.percentile(99) / 1e6).toFixed(1),
    loop_max_ms: +(delay.max / 1e6).toFixed(1),
    ms,
    characters: text.length,
    pages,
    problem,
  }
  console.log(JSON.stringify(figures))
  process.exit()
}

if (!isMainThread) watchChildren()
else if (process.argv[2] === 'one') await measure(process.argv[3])
else
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(cases))
    spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), 'one', name], { stdio: 'inherit' })
