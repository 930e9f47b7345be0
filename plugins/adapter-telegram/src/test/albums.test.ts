import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Update } from 'grammy/types'
import { definePlugin, type AnyPlugin, type Host } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { middlewares, type Message } from '@mynah/plugin-chat/api'
import { BotApi } from './bot-api.js'
import { startStoringHost } from './telegram-host.js'

const alice = { id: 7, is_bot: false, first_name: 'Alice' }
const group = { id: -1001, type: 'supergroup', title: 'Tea party' }

/** An update with a message whose number is that of the update. */
const update = (id: number, fields: object): Update =>
  ({
    update_id: id,
    message: { message_id: id, date: Math.floor(Date.now() / 1000), chat: group, from: alice, ...fields },
  }) as unknown as Update
const part = (id: number, fields: object = {}): Update =>
  update(id, {
    media_group_id: 'g1',
    photo: [{ file_id: `p${id}`, file_unique_id: `u${id}`, width: 9, height: 9 }],
    ...fields,
  })
const caption = {
  caption: '@mynah_bot compare these',
  caption_entities: [{ type: 'text_mention', offset: 0, length: 10, user: { id: 666, is_bot: true, first_name: 'M' } }],
}

describe('Albums of Telegram', () => {
  let api: BotApi
  let root = ''
  let host: Host | undefined
  let messages: Message[] = []
  /** The updates that Telegram has at each poll. The last list stays. */
  let polls: Update[][] = []
  let confirmed = 0

  beforeEach(async () => {
    messages = []
    polls = [[]]
    confirmed = 0
    root = await mkdtemp(join(tmpdir(), 'mynah-albums-'))
    api = await BotApi.start()
    api.on('getMe', () => ({ result: { id: 666, is_bot: true, first_name: 'Mynah', username: 'mynah_bot' } }))
    api.on('getUpdates', ({ payload }) => {
      confirmed = Math.max(confirmed, Number(payload.offset ?? 0))
      const [now = []] = polls.length > 1 ? polls.splice(0, 1) : polls
      return { result: now.filter(({ update_id: id }) => id >= confirmed) }
    })
  })
  afterEach(async () => {
    await host?.stop()
    await api.stop()
    await rm(root, { recursive: true, force: true })
  })

  async function start(): Promise<Host> {
    const listener = definePlugin({
      name: 'listener',
      setup(ctx) {
        ctx.contribute(middlewares, { name: 'listener', handle: (message) => void messages.push(message) })
      },
    })
    host = await startStoringHost(api, root, listener as AnyPlugin)
    return host
  }
  const shown = () => messages.map(({ id, segments }) => [id, ...segments.map(({ data }) => data.fileId ?? data.text)])
  /** Resolves when an update is confirmed, and that many messages are handled. */
  const done = (id: number, count: number): Promise<void> =>
    until(
      () => confirmed === id + 1 && messages.length >= count,
      () => `${count} messages up to ${id}, not ${messages.length} up to ${confirmed}`,
    )

  for (const place of [1, 2, 3])
    it(`are one message with the caption of part ${place}`, async () => {
      polls = [[1, 2, 3].map((id) => part(id, id === place ? caption : {}))]
      await start()
      await done(3, 1)
      expect(messages).to.have.length(1)
      const [message] = messages
      expect(message).to.include({ id: '-1001:1', addressed: true })
      expect(message?.segments.map(({ type, data }) => data.fileId ?? type)).to.deep.equal([
        'p1',
        'p2',
        'p3',
        'at',
        'text',
      ])
    })

  it('are one message over several polls, and hold up nothing else', async () => {
    const parts = [1, 2, 4].map((id) => part(id))
    const other = update(3, { text: 'tea?' })
    const [one, two, three] = parts as [Update, Update, Update]
    polls = [[one], [one, two, other], [one, two, other, three]]
    await start()
    await done(4, 2)
    expect(shown()).to.deep.equal([
      ['-1001:3', 'tea?'],
      ['-1001:1', 'p1', 'p2', 'p4'],
    ])
  })

  it('of documents, of two people and of forwarded pictures are one message each', async () => {
    const file = (id: number, name: string) =>
      update(id, { media_group_id: 'g2', document: { file_id: name }, from: { ...alice, id: 8 }, caption: name })
    const origin = { media_group_id: 'g3', forward_origin: { type: 'hidden_user', sender_user_name: 'Bob' } }
    polls = [
      [part(1), file(2, 'a'), part(3), file(4, 'b'), part(5, { ...origin, caption: '/exec ls' }), part(6, origin)],
    ]
    await start()
    await done(6, 3)
    expect(shown()).to.deep.equal([
      ['-1001:1', 'p1', 'p3'],
      ['-1001:2', 'a', 'b', 'a\nb'],
      ['-1001:5', 'p5', 'p6', '[image]\n/exec ls\n[image]'],
    ])
  })

  it('whose host dies between two polls are neither lost nor doubled', async () => {
    polls = [[part(1)], [part(1)]]
    const first = await start()
    await first.stop()
    expect(confirmed, 'no part was confirmed without the others').to.be.oneOf([0, 2])
    const wasAccepted = messages.length
    confirmed = 0
    polls = [[part(1), part(2)]]
    await start()
    await done(2, wasAccepted + 1)
    const files = messages.flatMap(({ segments }) => segments.map(({ data }) => data.fileId))
    expect(files).to.deep.equal(['p1', 'p2'])
    expect(messages).to.have.length(wasAccepted + 1)
  })

  it('that were accepted and come again with a late part have that part alone', async () => {
    polls = [[part(1), part(2)]]
    const first = await start()
    await done(2, 1)
    await first.stop()
    // The confirmation was lost.
    confirmed = 0
    polls = [[part(1), part(2), part(3)]]
    await start()
    await done(3, 2)
    expect(shown()).to.deep.equal([
      ['-1001:1', 'p1', 'p2'],
      ['-1001:3', 'p3'],
    ])
  })
})
