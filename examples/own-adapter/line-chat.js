// A chat platform of our own: a room on a TCP port, one line a message. Try it with `nc 127.0.0.1 7000`.
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { adapters, defineAdapter, definePlugin, endpointSchema, SendError, Type } from 'mynah'

const ROOM = { type: 'group', id: 'room', name: 'The room' }
const MAX_LINE = 4096

class LineChatBot {
  #endpoint
  #server
  #people = new Map()
  #count = 0

  constructor(endpoint) {
    this.#endpoint = endpoint
  }

  // Resolves when the account can receive and send. The runtime shows an error that it throws, and tries again.
  async connect() {
    const { host, port } = this.#endpoint.config
    this.#server = createServer((socket) => this.#welcome(socket))
    await new Promise((resolve, reject) => this.#server.once('error', reject).listen(port, host, resolve))
    this.#server.on('error', (error) => this.#endpoint.lost(error))
    return { id: 'bot', name: 'bot' }
  }

  async disconnect() {
    const server = this.#server
    if (!server?.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of this.#people.values()) socket.destroy()
    await closed
  }

  async send(target, message) {
    const { text } = message
    const people = target.type === 'group' ? [...this.#people.values()] : [this.#people.get(target.id)].filter(Boolean)
    // `refused`: it is certain that nothing arrived. After any other error the result is unknown.
    if (people.length === 0) throw new SendError('refused', `No user called "${target.id}" is connected`)
    for (const socket of people) socket.write(`bot: ${text.replaceAll('\n', '\n     ')}\n`)
    return { messageId: this.#newId() }
  }

  #welcome(socket) {
    const name = `guest${++this.#count}`
    this.#people.set(name, socket)
    socket
      .on('error', (error) => this.#endpoint.log.debug(`${name}: ${error.message}`))
      .on('close', () => this.#people.delete(name))
    socket.write(`You are ${name}. Say something; commands begin with "/".\n`)
    createInterface({ input: socket }).on('line', (line) => this.#hear(name, line.trim().slice(0, MAX_LINE)))
  }

  #hear(name, text) {
    if (text === '') return
    for (const [other, socket] of this.#people) if (other !== name) socket.write(`${name}: ${text}\n`)
    const message = {
      id: this.#newId(),
      channel: ROOM,
      sender: { id: name, name },
      content: text,
      mentioned: /^@?bot\b/i.test(text),
    }
    this.#endpoint
      .receive(message)
      .catch((error) => this.#endpoint.log.warn(`a line was not accepted: ${error.message}`))
  }

  // The platform gives no ids: ours must differ from those of the last run, too.
  #newId() {
    return `${this.#endpoint.clock.now().toString(36)}-${++this.#count}`
  }
}

const lineChat = defineAdapter({
  name: 'line-chat',
  platform: 'Line chat',
  acknowledges: 'never',
  schema: Type.Object({
    host: Type.Optional(Type.String({ default: '127.0.0.1', description: 'Address to listen on' })),
    port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port to listen on' }),
  }),
  create: (endpoint) => new LineChatBot(endpoint),
})

export default definePlugin({
  name: 'line-chat',
  description: 'A room on a TCP port, one line a message',
  // Lets `mynah config check` and the console know the options of an account.
  items: [endpointSchema(lineChat)],
  setup(ctx) {
    ctx.contribute(adapters, lineChat)
  },
})
