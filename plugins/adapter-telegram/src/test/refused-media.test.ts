import { expect } from 'chai'
import { Audio, File, Image, Text, Video } from '@mynah/plugin-chat/api'
import { failure, TelegramHost } from './telegram-host.js'

const address = 'https://e.org/wide.png'
const sent = { result: { message_id: 5, date: 1, chat: { id: 7, type: 'private' } } }

describe('A medium that Telegram refuses', () => {
  let telegramHost: TelegramHost
  before(async () => {
    telegramHost = await TelegramHost.start()
    await telegramHost.online()
  })
  beforeEach(() => {
    telegramHost.api.record()
    telegramHost.api.on('sendDocument', () => sent)
    telegramHost.api.on('sendMessage', () => sent)
  })
  after(() => telegramHost.stop())

  const refuse = (method: string, description: string, status = 400): void =>
    telegramHost.api.on(method, () => ({ status, description }))
  const calls = () =>
    telegramHost.api.calls
      .filter(({ method }) => method.startsWith('send'))
      .map(({ method, payload: { document, text, caption } }) => [method, document ?? text, caption].filter(Boolean))

  for (const [what, segment, method, description] of [
    ['a picture with odd dimensions', Image(address), 'sendPhoto', 'Bad Request: PHOTO_INVALID_DIMENSIONS'],
    ['a picture in another format', Image(address), 'sendPhoto', 'Bad Request: IMAGE_PROCESS_FAILED'],
    ['a picture that is too large', Image(address), 'sendPhoto', 'Request Entity Too Large'],
    ['a video', Video(address), 'sendVideo', 'Bad Request: VIDEO_CONTENT_TYPE_INVALID'],
    ['a sound', Audio(address), 'sendAudio', 'Bad Request: wrong file type'],
  ] as const)
    it(`is sent as a document with its words: ${what}`, async () => {
      refuse(method, description, description.startsWith('Request') ? 413 : 400)
      expect((await telegramHost.send([segment, Text('look')])).messageId).to.equal('7:5')
      expect(calls().slice(1)).to.deep.equal([['sendDocument', address, 'look']])
    })

  it('is sent as its words with a link where it is refused as a document too', async () => {
    refuse('sendPhoto', 'Bad Request: wrong type of the web page content')
    refuse('sendDocument', 'Bad Request: failed to get HTTP URL content')
    await telegramHost.send([Image(address), Text('look')])
    expect(calls().at(-1)).to.deep.equal(['sendMessage', `look\n${address}`])
  })

  it('is sent as its name where it has no address', async () => {
    refuse('sendDocument', 'Bad Request: file must be non-empty')
    await telegramHost.send([File({ base64: 'eA==', name: 'table.csv' }), Text('here')])
    expect(calls().at(-1)).to.deep.equal(['sendMessage', 'here\n[table.csv]'])
  })

  it('is refused with the first reason where nothing can be sent there', async () => {
    for (const method of ['sendPhoto', 'sendDocument', 'sendMessage']) refuse(method, `Bad Request: no ${method}`)
    expect((await failure(telegramHost.send([Image(address)]))).message).to.include('no sendPhoto')
    expect(calls()).to.have.length(3)
  })

  it('is not sent again where the answer to the document is lost', async () => {
    refuse('sendPhoto', 'Bad Request: PHOTO_INVALID_DIMENSIONS')
    telegramHost.api.on('sendDocument', () => ({ isCut: true }))
    const error = await failure(telegramHost.send([Image(address)]))
    expect(error).to.have.property('code', 'upstream_unavailable:unknown')
    expect(calls().map(([method]) => method)).to.deep.equal(['sendPhoto', 'sendDocument'])
  })
})
