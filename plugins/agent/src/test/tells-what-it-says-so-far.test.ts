// Who asks hears an answer as it comes: each piece, and all of it so far.
import { expect } from 'chai'
import { eachTest } from './support.js'

describe('an answer that is streamed to who asked', () => {
  const rigs = eachTest()

  it('comes in pieces that add up to the whole', async () => {
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
