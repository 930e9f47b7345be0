import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { At, Audio, Card, Face, File, Image, Text, type Segment } from '@mynah/plugin-chat/api'
import { compose, uuidOf } from './outbound.js'

const MAX_FILE = 30 * 1024 * 1024
const PIXEL = Buffer.from([0x89, 0x50, 0x4e, 0x47])

const marked = (text: string, ...entities: object[]): Segment => ({ type: 'text', data: { text, entities } as never })
const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error) => error,
  )
/** The lines of a formatted message that is the only part. */
async function linesIn(segments: readonly Segment[]): Promise<unknown> {
  const parts = await compose(segments)
  expect(parts).to.have.length(1)
  expect(parts[0]).to.include({ kind: 'ready', type: 'post' })
  return (parts[0] as { content: { zh_cn: { content: unknown } } }).content.zh_cn.content
}
const text = (words: string): object => ({ kind: 'ready', type: 'text', content: { text: words } })

describe('messages for Lark', () => {
  it('are plain text where nothing is formatted, in which no mark of Markdown has a meaning', async () => {
    expect(await compose([Text('*a* _b_ {{c}} <b>d</b>')])).to.deep.equal([text('*a* _b_ {{c}} <b>d</b>')])
    expect(await compose([Text('a '), Face('1', 'smile'), Text(' b')])).to.deep.equal([text('a [smile] b')])
    expect(await compose([{ type: 'reply', data: { id: 'om_1' } }, Text('an answer')])).to.deep.equal([
      text('an answer'),
    ])
  })

  it('mention only whom a segment names: words that look like a mention stay words', async () => {
    const shout = '<at user_id="all"></at>'
    expect(await linesIn([Text(`x ${shout}`)])).to.deep.equal([[{ tag: 'text', text: `x ${shout}` }]])
    expect(await linesIn([Text('to '), At('ou_alice', 'Alice'), Text(' and '), At('everyone')])).to.deep.equal([
      [
        { tag: 'text', text: 'to ' },
        { tag: 'at', user_id: 'ou_alice' },
        { tag: 'text', text: ' and ' },
        { tag: 'at', user_id: 'all' },
      ],
    ])
    expect(await compose([At('alice@example.org', 'Alice'), Text('!')])).to.deep.equal([text('@Alice!')])
    expect(await compose([At('ou_" onclick="x')])).to.deep.equal([text('@ou_" onclick="x')])
  })

  it('are formatted, or plain where the format would be too large for Lark', async () => {
    const bold = { type: 'bold', offset: 0, length: 1 }
    expect(await linesIn([marked('a b', bold)])).to.deep.equal([
      [
        { tag: 'text', text: 'a', style: ['bold'] },
        { tag: 'text', text: ' b' },
      ],
    ])
    const words = 'b '.repeat(1_000)
    const all = Array.from({ length: 1_000 }, (_, index) => ({ ...bold, offset: 2 * index }))
    expect(await compose([marked(words, ...all)])).to.deep.equal([text(words)])
    const shout = `<at user_id="all"></at>${words}`
    const [part] = await compose([marked(shout, ...all)])
    expect(part).to.deep.equal(text(shout.replace('<at', '<\u200bat')))
  })

  it('have each medium as a part of its own, in their order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-lark-'))
    try {
      const file = join(folder, 'ä b.txt')
      await writeFile(file, 'hello')
      const parts = await compose([
        Text('one'),
        Image({ base64: PIXEL.toString('base64'), mime: 'image/png', name: 'a.png' }),
        Text('two'),
        Audio({ base64: 'AAEC' }),
        File({ file }),
        File({ file: pathToFileURL(file).href, name: 'b.txt' }),
      ])
      const mime = 'application/octet-stream'
      expect(parts).to.deep.equal([
        text('one'),
        { kind: 'image', name: 'a.png', bytes: PIXEL, mime: 'image/png' },
        text('two'),
        { kind: 'file', name: 'audio', bytes: Buffer.from([0, 1, 2]), mime },
        { kind: 'file', name: 'ä b.txt', bytes: Buffer.from('hello'), mime },
        { kind: 'file', name: 'b.txt', bytes: Buffer.from('hello'), mime },
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('have the address of a medium as a line, since nothing is fetched for them', async () => {
    expect(await compose([Text('see'), Image('http://169.254.169.254/latest'), Text('!')])).to.deep.equal([
      text('see\nhttp://169.254.169.254/latest!'),
    ])
    expect(await compose([File({ file: 'https://example.org/a.pdf' })])).to.deep.equal([
      text('https://example.org/a.pdf'),
    ])
  })

  it('are refused with a reason where a medium cannot be sent, without the path of its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-lark-'))
    try {
      const large = join(folder, 'large.bin')
      await writeFile(large, '')
      await truncate(large, MAX_FILE + 1)
      const bytes = Buffer.alloc(MAX_FILE + 1).toString('base64')
      for (const [segment, says] of [
        [File({ file: large }), '"large.bin" is larger than'],
        [File({ file: folder }), 'cannot be read'],
        [Image({ file: join(folder, 'missing.png') }), '"missing.png" cannot be read'],
        [Image({ base64: bytes }), 'A segment of type image is larger than'],
        [Image('ftp://example.org/a.png'), 'must begin with http:// or https://'],
        [File({ name: 'x' }), 'names no medium'],
      ] as const) {
        const error = await failure(compose([segment]))
        expect(error, says).to.include({ name: 'SendError', kind: 'refused' })
        expect(error.message).to.contain(says).and.not.to.contain(folder)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('are refused where nothing can be shown', async () => {
    for (const empty of [[], [Text('')], [Text(' \n ')], [{ type: 'reply', data: { id: 'om_1' } }]])
      expect(await failure(compose(empty))).to.include({ name: 'SendError', kind: 'refused' })
  })

  it('have a card with its fields, and buttons that open an address or send a command', async () => {
    const plain = (content: string): object => ({ tag: 'plain_text', content })
    const card = Card({
      title: '<b>Tea</b>',
      text: 'With milk?',
      image: 'https://example.org/tea.png',
      fields: [
        { name: 'cups', value: '2', inline: true },
        { name: 'sort', value: 'green' },
      ],
      buttons: [
        { text: 'Yes', command: '/milk 1' },
        { text: 'More', url: 'https://example.org' },
        { text: 'Script', url: 'javascript:alert(1)', command: '/no' },
      ],
    })
    const button = (words: string, more: object): object => ({
      tag: 'button',
      type: 'default',
      text: plain(words),
      ...more,
    })
    expect(await compose([Text('so:'), card])).to.deep.equal([
      text('so:'),
      {
        kind: 'ready',
        type: 'interactive',
        content: {
          config: { update_multi: true },
          header: { title: plain('<b>Tea</b>') },
          elements: [
            { tag: 'div', text: plain('With milk?') },
            { tag: 'div', text: plain('https://example.org/tea.png') },
            {
              tag: 'div',
              fields: [
                { is_short: true, text: plain('cups\n2') },
                { is_short: false, text: plain('sort\ngreen') },
              ],
            },
            {
              tag: 'action',
              actions: [
                button('Yes', { value: { command: '/milk 1' } }),
                button('More', { url: 'https://example.org' }),
                button('Script', { value: { command: '/no' } }),
              ],
            },
          ],
        },
      },
    ])
  })

  it('have a key for each part that is the same at each attempt, and not longer than Lark takes', () => {
    const keys = ['1', '1/0', 'x'.repeat(300)].flatMap((key) => [0, 1, 10].map((index) => uuidOf(key, index)))
    expect(new Set(keys).size).to.equal(keys.length)
    for (const key of keys) expect(key).to.match(/^[\w-]{1,50}$/)
    expect(uuidOf('row-7', 2)).to.equal(uuidOf('row-7', 2))
  })
})
