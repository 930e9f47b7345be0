import { expect } from 'chai'
import type { MessageRow } from '@mynah/contract/types'
import { SandboxBot } from './bot.js'
import { readHistory } from './history.js'
import { SandboxPlatform } from './platform.js'
import { StoredState } from './stored-state.js'

const channel = { type: 'group', id: 'lobby' } as const
const item = (messageId: string, timestamp: number) => ({
  endpoint_id: 'bot',
  channel,
  messageId,
  content: messageId,
  text: messageId,
  direction: 'in' as const,
  sender: { id: 'alice' },
  timestamp,
})
const row = (messageId: string, timestamp: number): MessageRow =>
  ({
    id: messageId,
    messageId,
    channel,
    content: messageId,
    text: messageId,
    direction: 'in',
    sender: { id: 'alice', name: 'Alice' },
    read: false,
    timestamp,
  }) as MessageRow
const log = {
  warnings: [] as string[],
  warn(message: string) {
    this.warnings.push(message)
  },
}

/** Returns a store as far as it is read here: pages of rows, newest first. */
function storeOf(rows: readonly MessageRow[]) {
  const newest = [...rows].reverse()
  return {
    messages: ({ limit, before }: { limit: number; before?: string }) => {
      const from = before === undefined ? 0 : newest.findIndex(({ id }) => id === before) + 1
      const page = newest.slice(from, from + limit)
      return {
        rows: page,
        total: rows.length,
        ...(from + limit < newest.length ? { nextBefore: page.at(-1)?.id } : {}),
      }
    },
  } as never
}
const ids = (items: readonly { readonly messageId: string }[]): string[] => items.map(({ messageId }) => messageId)

describe('readHistory', () => {
  it('returns stored messages and then those of this process, each once', async () => {
    const platform = new SandboxPlatform('bot')
    for (const known of [item('b', 2), item('c', 3)]) platform.addMessage(known)
    const messages = await readHistory(platform, 'bot', channel, 10, storeOf([row('a', 1), row('b', 2)]), log as never)
    expect(ids(messages)).to.deep.equal(['a', 'b', 'c'])
    expect(
      ids(await readHistory(platform, 'bot', channel, 2, storeOf([row('a', 1), row('b', 2)]), log as never)),
    ).to.deep.equal(['b', 'c'])
  })

  it('leaves out messages that were not sent yet', async () => {
    expect(
      ids(
        await readHistory(
          new SandboxPlatform('bot'),
          'bot',
          channel,
          10,
          storeOf([row('a', 1), { ...row('', 2), direction: 'out', state: 'intent' }]),
          log as never,
        ),
      ),
    ).to.deep.equal(['a'])
  })

  it('reads page by page up to the limit', async () => {
    const rows = Array.from({ length: 350 }, (_, index) => row(String(index).padStart(3, '0'), index))
    const messages = await readHistory(new SandboxPlatform('bot'), 'bot', channel, 250, storeOf(rows), log as never)
    expect(messages).to.have.length(250)
    expect([messages[0]?.messageId, messages.at(-1)?.messageId]).to.deep.equal(['100', '349'])
  })

  it('returns the messages of this process where no store is available, and logs it', async () => {
    const platform = new SandboxPlatform('bot')
    platform.addMessage(item('a', 1))
    const unavailable = {
      messages: () => {
        throw new Error('no disk')
      },
    } as never
    expect(ids(await readHistory(platform, 'bot', channel, 10, unavailable, log as never))).to.deep.equal(['a'])
    expect(log.warnings.at(-1)).to.contain('no disk')
    expect(ids(await readHistory(platform, 'bot', channel, 10, undefined, log as never))).to.deep.equal(['a'])
  })

  it('edits a message from before the last start, and no other', async () => {
    const said: { messageId: string; edited?: boolean }[] = []
    const platform = new SandboxPlatform('bot')
    const store = storeOf([row('heard', 1), { ...row('said', 2), direction: 'out' } as MessageRow, row('later', 3)])
    const history = () => readHistory(platform, 'bot', channel, 10, store, log as never)
    const bot = new SandboxBot(
      { id: 'bot', clock: { now: () => 5 } } as never,
      platform,
      new StoredState(platform, 'bot', () => undefined),
      (message) => said.push(message),
      history,
    )
    const edit = (messageId: string) =>
      bot
        .edit(channel, messageId, {
          segments: [{ type: 'text', data: { text: 'all of it' } }],
          text: 'all of it',
        } as never)
        .then(
          () => 'edited',
          (error: { kind?: string }) => error.kind,
        )
    expect(await edit('said')).to.equal('edited')
    for (const other of ['heard', 'nothing']) expect(await edit(other)).to.equal('refused')
    expect((await history()).map(({ text, edited }) => [text, edited])).to.deep.equal([
      ['heard', undefined],
      ['all of it', true],
      ['later', undefined],
    ])
    expect(said.map(({ messageId, edited }) => [messageId, edited])).to.deep.equal([['said', true]])
  })

  it('returns an edited message once, at its position, with its last text', async () => {
    const said: object[] = []
    const platform = new SandboxPlatform('bot')
    const endpoint = { id: 'bot', clock: { now: () => 5 } } as never
    const bot = new SandboxBot(
      endpoint,
      platform,
      new StoredState(platform, 'bot', () => undefined),
      (message) => said.push(message),
      async () => [],
    )
    const { messageId } = await bot.send(channel, {
      segments: [{ type: 'text', data: { text: 'one' } }],
      text: 'one',
    } as never)
    platform.addMessage(item('later', 6))
    await bot.edit(channel, messageId, {
      segments: [{ type: 'text', data: { text: 'one two' } }],
      text: 'one two',
    } as never)
    expect(platform.history(channel, 10).map(({ text, edited }) => [text, edited])).to.deep.equal([
      ['one two', true],
      ['later', undefined],
    ])
    expect(said.at(-1)).to.deep.include({ messageId, edited: true, text: 'one two', timestamp: 5 })
    const refused = await bot.edit(channel, 'unknown', { segments: [], text: 'x' } as never).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).to.have.property('kind', 'refused')
    expect(said).to.have.length(2)
  })
})
