import { expect } from 'chai'
import { ALICE } from './homeserver.js'
import { MatrixHost, until } from './matrix-host.js'

describe('The bot of examples/matrix-bot', () => {
  it('asks a question and counts the reactions', async () => {
    const url = new URL('../../../../examples/matrix-bot/bot.js', import.meta.url)
    const { default: bot } = (await import(url.href)) as { default: object }
    const matrix = await (await MatrixHost.start({ plugins: [bot] })).online()
    try {
      const { server } = matrix
      const room = server.room('Town')
      server.say(room, '/ask Tea or coffee?')
      await until(() => matrix.sent.length === 1, 'the question')
      const relation = { rel_type: 'm.annotation', event_id: matrix.sent[0]!.event_id, key: '🍵' }
      server.add(room, ALICE, 'm.reaction', { 'm.relates_to': relation })
      await until(() => matrix.reactions.length === 1, 'the reaction')
      server.say(room, '/votes')
      await until(() => matrix.sent.length === 2, 'the result')
      expect(matrix.sent.map(({ content }) => content['body'])).to.deep.equal([
        'Tea or coffee?',
        'Tea or coffee?\n🍵 1',
      ])
    } finally {
      await matrix.stop()
    }
  })
})
