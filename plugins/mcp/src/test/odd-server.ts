import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

type Message = { id?: number; method?: string; params?: { name?: string; arguments?: Record<string, unknown> } }
interface Manner {
  readonly tools?: readonly Record<string, unknown>[]
  /** Never answers the first message. */
  readonly silent?: boolean
  /** Ends at once, after saying this on standard error. */
  readonly dies?: string
  /** Says lines that are no messages first. */
  readonly chatty?: boolean
  /** Megabytes of complaints. */
  readonly floods?: number
  /** The first tool has a schema of so many characters. */
  readonly schema?: number
  /** A line without an end, in characters. */
  readonly endless?: number
  readonly stubborn?: boolean
  /** Starts a process that would outlive it, and says its id in a tool's description. */
  readonly child?: boolean
  /** Says every so many ms that its tools changed, and they have. */
  readonly restless?: number
  readonly pages?: number
  /** So many things that are no tools stand after its own. */
  readonly rubbish?: number
}

const manner = JSON.parse(process.argv[2] ?? '{}') as Manner
let tools: readonly Record<string, unknown>[] = manner.tools ?? []
let lists = 0
let changes = 0

const write = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const say = (id: number, text: string): void => write({ id, result: { content: [{ type: 'text', text }] } })
const own = ['echo', 'env', 'die', 'hang', 'change', 'lists', 'fail', 'scold', 'large', 'odd'].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
}))

if (manner.dies !== undefined) {
  process.stderr.write(`${manner.dies}\n`)
  process.exitCode = 3
} else begin()

function begin(): void {
  if (manner.chatty) process.stdout.write('Welcome!\n{"no":"message"}\n\n')
  if (manner.floods) for (let mb = 0; mb < manner.floods; mb++) process.stderr.write(`${'x'.repeat(1024 * 1024)}\n`)
  if (manner.stubborn) process.on('SIGTERM', () => {})
  if (manner.child) {
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    tools = [{ name: 'pid', description: String(left.pid) }]
  }
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => answer(JSON.parse(line) as Message))
  lines.on('close', () => {
    if (!manner.stubborn) process.exit()
  })
}

function answer({ id, method, params }: Message): void {
  if (id === undefined) {
    if (method === 'notifications/initialized') changeRepeatedly()
    return
  }
  switch (method) {
    case 'initialize':
      return initialize(id)
    case 'tools/list':
      return list(id)
    case 'tools/call':
      return run(id, params?.name ?? '', params?.arguments ?? {})
    default:
      return write({ id, error: { code: -32601, message: 'Not known' } })
  }
}

function changeRepeatedly(): void {
  if (!manner.restless) return
  setInterval(() => {
    changes++
    write({ method: 'notifications/tools/list_changed' })
  }, manner.restless)
}

function initialize(id: number): void {
  if (manner.endless) process.stdout.write('x'.repeat(manner.endless))
  else if (!manner.silent)
    write({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'odd', version: '1' },
      },
    })
}

function list(id: number): void {
  lists++
  const large = manner.schema
    ? [{ name: 'vast', description: 'Vast', inputSchema: { type: 'object', description: 'x'.repeat(manner.schema) } }]
    : []
  const restless = manner.restless
    ? [
        { name: 'mood', description: `Mood ${changes}` },
        { name: `new${changes}`, description: 'New' },
      ]
    : []
  const all = [...large, ...restless, ...tools, ...own]
  if (manner.rubbish) return write({ id, result: { tools: [...all, ...Array<number>(manner.rubbish).fill(1)] } })
  if (!manner.pages) return write({ id, result: { tools: all } })
  write({
    id,
    result: {
      tools: all.map((tool) => ({ ...tool, name: `${String(tool['name'])}${lists}` })),
      nextCursor: `page${lists}`,
    },
  })
}

function run(id: number, name: string, input: Record<string, unknown>): void {
  switch (name) {
    case 'echo':
      return say(id, JSON.stringify(input))
    case 'env':
      return say(id, JSON.stringify({ ...process.env, CWD: process.cwd() }))
    case 'die':
      return void process.kill(process.pid, 'SIGKILL')
    case 'hang':
      return
    case 'lists':
      return say(id, String(lists))
    case 'fail':
      return write({ id, result: { content: [{ type: 'text', text: 'No such room' }], isError: true } })
    case 'scold':
      return write({ id, error: { code: -32602, message: 'Bad arguments' } })
    case 'large':
      return write({ id, result: { content: [{ type: 'text', text: 'y'.repeat(Number(input['size'])) }] } })
    case 'odd':
      return write({ id, result: input })
    case 'change':
      tools = input['tools'] as Record<string, unknown>[]
      say(id, 'changed')
      return write({ method: 'notifications/tools/list_changed' })
    default:
      return say(id, `ran ${name}`)
  }
}
