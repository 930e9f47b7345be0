import { expect } from 'chai'
import { activePoint, turnBlocks, parseKeys, parseSessionKey, rememberKey } from './model.js'
import { laterAnswers } from '../../../test/example-data.js'

const NOW = 1_800_000_000_000

describe('a session', () => {
  it('has one block per message of a person, with tools, answer, duration and usage', () => {
    const { entries } = laterAnswers(NOW)['agent:session'] as { entries: Parameters<typeof turnBlocks>[0] }
    const blocks = turnBlocks(entries)
    expect(blocks).to.have.length(6)
    expect(blocks[4]).to.deep.include({
      asked: 'is it reachable from outside?',
      sender: 'carol',
      steps: 2,
      model: 'gpt-5-mini',
    })
    expect(blocks[4]?.tools).to.deep.equal([
      {
        id: 'c4',
        name: 'web_search',
        input: '{"query":"fast-glob advisory","path":"workspace/site/ci"}',
        failed: true,
        output: 'no answer from api.search.example within 30 s',
        ms: 1200,
      },
    ])
    expect(blocks[4]?.usage).to.deep.equal({ input: 18_200, cachedInput: 16_100, output: 410 })
  })

  it('leaves out entries outside the conversation, and names media', () => {
    const beside = { parentId: null, timestamp: 1 }
    const blocks = turnBlocks([
      { ...beside, id: 1, kind: 'head', content: '2 tools: bash, read' },
      {
        ...beside,
        id: 2,
        kind: 'message',
        role: 'user',
        content: [
          { type: 'text', text: 'see ' },
          { type: 'file', mediaType: 'application/pdf' },
        ],
      },
      { ...beside, id: 3, kind: 'cut', content: '1 results are sent no more' },
      { ...beside, id: 4, kind: 'branch_summary', content: 'what was tried' },
    ])
    expect(blocks.map(({ role, asked }) => [role, asked])).to.deep.equal([
      ['user', 'see [application/pdf]'],
      ['summary', 'what was tried'],
    ])
  })

  it('continues from the chosen point, else from the last', () => {
    const points = [
      { index: 1, messageId: 10, preview: 'a' },
      { index: 2, messageId: 20, preview: 'b' },
    ]
    const tree = { sessionKey: 'k', sessionId: 's', points }
    expect(activePoint({ ...tree, activeLeafMessageId: 10 })?.index).to.equal(1)
    expect(activePoint({ ...tree, activeLeafMessageId: null })?.index).to.equal(2)
    expect(activePoint({ ...tree, activeLeafMessageId: 99 })?.index).to.equal(2)
    expect(activePoint({ ...tree, points: [], activeLeafMessageId: null })).to.equal(undefined)
  })

  it('remembers keys, newest first, and parses channel and endpoint', () => {
    expect(rememberKey(['a', 'b'], 'b')).to.deep.equal(['b', 'a'])
    expect(parseKeys('["a", 5]')).to.deep.equal(['a'])
    expect(parseKeys('{')).to.deep.equal([])
    expect(parseSessionKey('irc|libera|group|%23mynah-dev')).to.deep.equal({ place: '#mynah-dev', endpoint: 'libera' })
    expect(parseSessionKey('irc|libera|group|crew|ada')).to.deep.equal({ place: 'crew (ada)', endpoint: 'libera' })
    expect(parseSessionKey('job|%zz')).to.deep.equal({ place: '%zz', endpoint: '' })
  })
})
