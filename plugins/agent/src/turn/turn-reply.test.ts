import { expect } from 'chai'
import { eachTest } from '../test/support.js'

describe('TurnReply: a streamed answer', () => {
  const rigs = eachTest()

  it('arrives in pieces that add up to the whole', async () => {
    const rig = await rigs.start(['One kite, two kites, and a third one over the hill.'])
    const heard: [chunk: string, full: string][] = []
    const { text } = await rig.agent.ask({
      text: 'how many?',
      onChunk: (chunk, full) => void heard.push([chunk, full]),
    })
    expect(heard.length).to.be.at.least(1)
    let so = ''
    for (const [chunk, full] of heard) expect(full).to.equal((so += chunk))
    expect(so).to.equal(text)
  })
})
