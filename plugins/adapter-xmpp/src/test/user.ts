// A user of XMPP with the library itself, so that what the adapter does is checked by other code.
import { client, xml, type Client, type Element } from '@xmpp/client'
import { until } from '@mynah/kernel/testing'
import { scram } from '../scram.js'
import { PASSWORD, type Prosody } from './prosody.js'

export class User {
  readonly address: string
  readonly #name: string
  readonly #server: Prosody
  #client: Client | undefined
  readonly messages: Element[] = []
  #ids = 0

  private constructor(server: Prosody, name: string) {
    this.#server = server
    this.#name = name
    this.address = `${name}@localhost`
  }

  static async enter(server: Prosody, name: string): Promise<User> {
    const user = new User(server, name)
    await user.enter()
    return user
  }

  /** Logs in, again after the server has died. */
  async enter(room?: string): Promise<void> {
    const entity = client({
      service: this.#server.service,
      domain: 'localhost',
      resource: 'test',
      timeout: 30_000,
      credentials: (authenticate) => authenticate({ username: this.#name, password: PASSWORD }, 'SCRAM-SHA-1'),
    })
    entity.reconnect.stop()
    // The library miscounts stanzas, for which the server ends the connection.
    const { _onElement: pass } = entity
    entity._onElement = (element) => {
      if (element.name === 'stream:features')
        element.children = element.children.filter((child) => typeof child === 'string' || child.name !== 'sm')
      pass.call(entity, element)
    }
    entity.saslFactory._mechs.length = 0
    entity.saslFactory.use(
      'SCRAM-SHA-1',
      scram('sha1', () => {}),
    )
    entity.on('error', () => {})
    entity.on('stanza', (stanza: Element) => {
      if (stanza.name === 'message' && stanza.attrs.type !== 'error') this.messages.push(stanza)
    })
    this.#client = entity
    await entity.start()
    await entity.send(xml('presence'))
    if (room !== undefined) await this.join(room)
  }

  async join(room: string): Promise<void> {
    const history = xml('history', { maxstanzas: '0' })
    let isIn = false
    this.#client?.on('stanza', (stanza: Element) => {
      const codes = stanza.getChild('x', 'http://jabber.org/protocol/muc#user')?.getChildren('status') ?? []
      if (stanza.name === 'presence' && codes.some(({ attrs }) => attrs.code === '110')) isIn = true
    })
    const x = xml('x', { xmlns: 'http://jabber.org/protocol/muc' }, history)
    await this.#client?.send(xml('presence', { to: `${room}/${this.#name}` }, x))
    await until(() => isIn, 'the user to be in the room')
  }

  /** Sends a message, and returns its id. */
  async say(to: string, body: string | undefined, ...more: readonly Element[]): Promise<string> {
    const id = `${this.#name}-${++this.#ids}-${Date.now().toString(36)}`
    const type = to.includes('@rooms.') && !to.includes('/') ? 'groupchat' : 'chat'
    const content = body === undefined ? [] : [xml('body', {}, body)]
    await this.#client?.send(xml('message', { to, type, id }, ...content, ...more))
    // The server has the message when it answers what follows it.
    const ping = xml('iq', { type: 'get', to: 'localhost' }, xml('ping', { xmlns: 'urn:xmpp:ping' }))
    await this.#client?.iqCaller.request(ping)
    return id
  }

  /** Lets the server send the last message to the bot again. */
  async repeat(): Promise<void> {
    const again = xml('again', { xmlns: 'urn:mynah:again' })
    await this.#client?.iqCaller.request(xml('iq', { type: 'get', to: 'localhost' }, again))
  }

  send(stanza: Element): Promise<void> | undefined {
    return this.#client?.send(stanza)
  }

  async leave(): Promise<void> {
    const entity = this.#client
    this.#client = undefined
    entity?.removeAllListeners()
    entity?.on('error', () => {})
    entity?.socket?.destroy()
  }
}
