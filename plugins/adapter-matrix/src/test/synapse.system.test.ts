import { expect } from 'chai'
import { Text } from '@mynah/plugin-chat/api'
import { adapterContract } from '@mynah/plugin-chat/testing'
import { skipBecause } from '@mynah/kernel/testing'
import matrix from '../index.js'
import { MatrixHost, until } from './matrix-host.js'
import { Synapse, whyNot, type SynapseUser } from './synapse.js'

interface Stage {
  readonly bot: SynapseUser
  readonly alice: SynapseUser
  readonly room: string
}

const reason = whyNot()
describe(`Synapse${reason === undefined ? '' : ` (${reason})`}`, function () {
  this.timeout(600_000)
  // One for all tests: a start takes longer than any of them.
  let server!: Synapse
  let stages = 0
  before(async function () {
    if (reason !== undefined) skipBecause(this, reason)
    server = await Synapse.start()
  })
  after(() => server?.stop())

  async function stage(options: object): Promise<Stage> {
    const bot = await server.user(`bot${++stages}`)
    const alice = await server.user(`alice${stages}`)
    const room = await alice.createRoom({ invite: [bot.id], ...options })
    await bot.join(room)
    await alice.listen()
    return { bot, alice, room }
  }

  adapterContract({
    name: 'matrix on Synapse',
    unavailable: whyNot,
    async start() {
      const { bot, alice, room } = await stage({ preset: 'trusted_private_chat', is_direct: true })
      const sent: string[] = []
      return {
        plugins: [matrix],
        endpoint: { adapter: 'matrix', id: 'bot', homeserver: server.origin, token: bot.token, master: alice.id },
        target: { type: 'group', id: room },
        say: async (text) => void (await alice.say(room, text)),
        kill: () => server.kill(),
        restart: () => server.run(),
        sent() {
          for (const { type, content } of alice.events.splice(0)) if (type === 'm.room.message') sent.push(content.body)
          return sent
        },
        stop: () => alice.leave(),
      }
    },
  })

  describe('with what only it can show', () => {
    let on!: Stage
    let host!: MatrixHost
    before(async () => {
      on = await stage({ preset: 'private_chat', name: 'Town' })
      host = await (
        await MatrixHost.start({
          server: { http: { origin: server.origin, stop: () => Promise.resolve() } } as never,
          config: { token: undefined, user: on.bot.id, password: on.bot.password, master: on.alice.id },
        })
      ).online()
    })
    after(async () => {
      await host?.stop()
      await on?.alice.leave()
    })
    const town = (): { type: 'group'; id: string } => ({ type: 'group', id: on.room })
    const seen = (test: (event: any) => boolean, what: string): Promise<any> =>
      until(() => on.alice.events.some(test), what).then(() => on.alice.events.find(test))

    it('takes a key once, also after its death, and gives what was missed, however much', async () => {
      const message = { segments: [Text('once')], text: 'once', key: 'key-1' }
      const first = await host.bot.send(town(), message)
      await server.kill()
      await until(() => host.status() !== 'online', 'the loss to be noticed')
      await server.run()
      await host.online()
      expect(await host.bot.send(town(), message)).to.deep.equal(first)
      await server.kill()
      await until(() => host.status() !== 'online', 'the loss to be noticed')
      await server.run()
      const said = Array.from({ length: 150 }, (_, index) => `missed ${index}`)
      for (const text of said) await on.alice.say(on.room, text)
      await host.hears(said.length)
      expect(host.texts).to.deep.equal(said)
    })

    it('shows edits, reactions, threads and typing, and reports those of users', async () => {
      host.messages.length = 0
      const root = await on.alice.say(on.room, 'tea?')
      await host.hears(1)
      const relation = { rel_type: 'm.thread', event_id: root }
      await on.alice.send(on.room, { msgtype: 'm.text', body: 'in the thread', 'm.relates_to': relation })
      await host.hears(2)
      expect(host.messages[1]!.channel.id).to.equal(`${on.room}:${root}`)
      const { messageId } = await host.send('with milk', host.messages[1]!.channel)
      const answer = await seen(({ content }) => content.body === 'with milk', 'the answer')
      expect(answer.content['m.relates_to']).to.deep.include(relation)
      await host.bot.edit(town(), messageId, { segments: [Text('without')], text: '', key: 'edit' })
      await seen(({ content }) => content.body === '* without', 'the edit')
      await host.bot.react(town(), root, '👀', true)
      await host.bot.react(town(), root, '👀', true)
      await seen(({ type }) => type === 'm.reaction', 'the reaction')
      await host.bot.react(town(), root, '👀', false)
      await seen(({ type }) => type === 'm.room.redaction', 'its end')
      await host.bot.typing(town())
      const own = { 'm.relates_to': { rel_type: 'm.annotation', event_id: messageId, key: '👍' } }
      await on.alice.send(on.room, own, 'm.reaction')
      await until(() => host.reactions.length === 1, 'the reaction of the user')
      const edit = {
        'm.new_content': { msgtype: 'm.text', body: 'coffee?' },
        'm.relates_to': { rel_type: 'm.replace', event_id: root },
      }
      await on.alice.send(on.room, { msgtype: 'm.text', body: '* coffee?', ...edit })
      await until(() => host.notices.some(({ kind }) => kind === 'message-edit'), 'the edit of the user')
      await host.bot.recall(town(), messageId)
    })

    it('takes and gives files, creates private rooms, and lets the bot join those of its owner', async () => {
      host.messages.length = 0
      const segments = [
        { type: 'image', data: { base64: Buffer.from('a picture').toString('base64'), name: 'cat.png' } },
      ]
      await host.bot.send(town(), { segments, text: '', key: 'image' })
      const { content } = await seen(({ content }) => content.msgtype === 'm.image', 'the picture')
      await on.alice.send(on.room, { msgtype: 'm.image', body: 'mine.png', url: content.url })
      await host.hears(1)
      const limits = { maxBytes: 100, signal: new AbortController().signal }
      const bytes = await host.chat.fetchMedia('matrix', 'bot', host.messages[0]!.segments[0]!, limits)
      expect(Buffer.from(bytes).toString()).to.equal('a picture')
      await host.send('in private', { type: 'private', id: on.alice.id })
      const invite = await on.alice.createRoom({ preset: 'private_chat', name: 'Other', invite: [on.bot.id] })
      await until(async () => {
        const { joined } = await on.alice.call('GET', `/rooms/${encodeURIComponent(invite)}/joined_members`)
        return on.bot.id in joined
      }, 'the bot to join')
    })
  })
})
