// Does what a hostile library of documents might do. The input says which of these.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import dns from 'node:dns'
import { writeFileSync, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { RESULTS } from '../confinement.js'

const print = (line: string | number): void => void writeSync(RESULTS, String(line))
const [what, argument = ''] = JSON.parse(await text(process.stdin)) as string[]

const refused = async (name: string, act: () => unknown): Promise<string> => {
  try {
    await act()
    return `${name} done`
  } catch {
    return `${name} refused`
  }
}

const codeOf = (act: () => unknown): string => {
  try {
    act()
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed'
  }
}

async function network(): Promise<void> {
  const port = Number(argument)
  const outcomes = [
    await refused('fetch', () => fetch(`http://127.0.0.1:${port}/`)),
    await refused('connect', () => connect(port, '127.0.0.1')),
    await refused('send', () => createSocket('udp4').send('a', port, '127.0.0.1')),
    await refused('listen', () => createServer().listen(0)),
    await refused('lookup', () => dns.promises.lookup('localhost')),
    await refused('resolve', () => new dns.promises.Resolver().resolve4('localhost')),
  ]
  print(outcomes.join())
}

/** Takes memory for ever, and prints how much there is each time. */
function take(piece: () => unknown): void {
  const held: unknown[] = []
  for (;;) {
    held.push(piece())
    print(`${process.memoryUsage.rss()}\n`)
  }
}

const attempts: Readonly<Record<string, () => unknown>> = {
  nothing: () => print('done'),
  environment: () => print(Object.keys(process.env).join()),
  network,
  write: () => print([codeOf(() => writeFileSync(argument, 'a')), codeOf(() => spawn('true'))].join()),
  // Few large objects: many small ones would keep the collector busy for long.
  heap: () => take(() => Array<number>(4_000_000).fill(0.5)),
  buffers: () => take(() => new Uint8Array(64 * 1024 * 1024).fill(1)),
  'small buffers': () => take(() => Array.from({ length: 1_000 }, () => new Uint8Array(8_192).fill(1))),
  loop() {
    print(`${process.pid}\n`)
    for (;;);
  },
}
await attempts[what ?? '']?.()
process.exit()
