// The project of an adapter: a room on a TCP port, to be replaced by a real platform.
import type { Answers } from '../answers.js'
import { manifestOf, PLUGIN_TSCONFIG, title } from './plugin.js'
import { GITIGNORE, TOOLS, type Files, type Packages } from './shared.js'

export function adapterFiles(answers: Answers, packages: Packages): Files {
  const { name } = answers
  return {
    'package.json': manifestOf({ name, page: false }, packages, {
      script: 'mocha --node-option import=mynah/typescript --timeout 10000 src/index.test.ts',
      tools: { chai: TOOLS.chai, mocha: TOOLS.mocha },
      ours: ['@mynah/plugin-chat'],
      category: 'adapter',
    }),
    'src/index.ts': adapter(name),
    'src/index.test.ts': test(name),
    'tsconfig.json': PLUGIN_TSCONFIG,
    'mynah.config.yml': `# A host to try the adapter in: npm start, then in another terminal: nc 127.0.0.1 7000
plugins: [http-core, console-rpc, events, entries, management, chat, ./src/index.ts]

http:
  port: \${PORT:-8086}

endpoints:
  - { adapter: ${name}, id: room, port: 7000 }
`,
    '.gitignore': GITIGNORE,
    'README.md': `# mynah-plugin-${name}

\`\`\`sh
npm start         # a host with the adapter in it; then: nc 127.0.0.1 7000
npm test          # the tests that every adapter must pass
npm pack          # the tarball that is published
npx mynah publish-check   # what is missing before "npm publish"
\`\`\`

In another host: \`npm install mynah-plugin-${name}\`, then \`${name}\` in its list of \`plugins\`,
and an item of \`endpoints\`:

\`\`\`yaml
endpoints:
  - { adapter: ${name}, id: room, port: 7000 }
\`\`\`
`,
  }
}

const adapter = (name: string): string => `${ROOM_CLASS}
${definition(name)}`

const ROOM_CLASS = `// Connects accounts to a platform: here a room on a TCP port, one line a message.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { adapters, defineAdapter, definePlugin, endpointSchema, SendError, Type } from 'mynah'
import type { Bot, EndpointHandle, OutboundMessage, Target } from 'mynah'

const ROOM = { type: 'group', id: 'room', name: 'The room' } as const

interface Config { readonly host: string; readonly port: number }

class Room implements Bot {
  readonly #endpoint: EndpointHandle<Config>
  readonly #people = new Map<string, Socket>()
  #server: Server | undefined
  #count = 0

  constructor(endpoint: EndpointHandle<Config>) {
    this.#endpoint = endpoint
  }

  /** Resolves when the account can receive and send. An error is shown, and the connection tried again. */
  async connect() {
    const { host, port } = this.#endpoint.config
    const server = createServer((socket) => this.#welcome(socket)).listen(port, host)
    await once(server, 'listening')
    server.on('error', (error) => this.#endpoint.lost(error))
    this.#server = server
    return { id: 'bot', name: 'bot' }
  }

  async disconnect(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of this.#people.values()) socket.destroy()
    await closed
  }

  async send(target: Target, message: OutboundMessage) {
    const people = [...this.#people].filter(([name]) => target.type === 'group' || name === target.id)
    // "refused" means that the message certainly did not arrive. After any other error that is unknown.
    if (people.length === 0) throw new SendError('refused', \`"\${target.id}" is not here\`)
    for (const [, socket] of people) socket.write(\`bot: \${message.text.replaceAll('\\n', '\\n     ')}\\n\`)
    return { messageId: this.#newId() }
  }

  #welcome(socket: Socket): void {
    const name = \`guest\${++this.#count}\`
    this.#people.set(name, socket)
    socket.on('error', (error) => this.#endpoint.log.debug(\`\${name}: \${error.message}\`))
    socket.on('close', () => this.#people.delete(name))
    socket.write(\`You are \${name}. Say something; commands begin with "/".\\n\`)
    createInterface({ input: socket }).on('line', (line) => this.#receive(name, line.trim().slice(0, 4096)))
  }

  #receive(name: string, text: string): void {
    if (text === '') return
    const message = {
      id: this.#newId(),
      channel: ROOM,
      sender: { id: name, name },
      content: text,
      mentioned: /^@?bot\\b/i.test(text),
    }
    this.#endpoint
      .receive(message)
      .catch((error: Error) => this.#endpoint.log.warn(\`message dropped: \${error.message}\`))
  }

  /** The platform has no ids. Ours must be unique over all runs. */
  #newId(): string {
    return \`\${this.#endpoint.clock.now().toString(36)}-\${++this.#count}\`
  }
}
`

const definition = (name: string): string => `const platform = defineAdapter({
  name: '${name}',
  platform: '${title(name)}',
  acknowledges: 'never',
  schema: Type.Object({
    host: Type.String({ default: '127.0.0.1', description: 'Address to listen on' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port to listen on' }),
  }),
  create: (endpoint) => new Room(endpoint),
})

export default definePlugin({
  name: '${name}',
  description: 'A room on a TCP port, one line a message',
  // Lets "mynah config check" and the console know the options of an account.
  items: [endpointSchema(platform)],
  setup(ctx) {
    ctx.contribute(adapters, platform)
  },
})
`

const test = (
  name: string,
): string => `// Runs the tests that every adapter must pass: a guest connects, speaks and listens.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { adapterContract } from '@mynah/plugin-chat/testing'
import adapter from './index.js'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

adapterContract({
  name: '${name}',
  async start() {
    const port = await freePort()
    const sent: string[] = []
    let guest: Socket | undefined
    return {
      plugins: [adapter],
      endpoint: { adapter: '${name}', id: 'room', port },
      target: { type: 'group', id: 'room' },
      async online() {
        guest = connect(port, '127.0.0.1')
        const lines = createInterface({ input: guest })
        await once(lines, 'line')
        lines.on('line', (line) => sent.push(line.replace(/^bot: /, '')))
      },
      say: (text) => new Promise((resolve) => guest?.write(\`\${text}\\n\`, () => resolve())),
      sent: () => sent,
      stop: async () => void guest?.destroy(),
    }
  },
})
`
