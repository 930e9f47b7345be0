import { expect } from 'chai'
import { flush } from '../testing.js'
import { WaitGroup } from './wait-group.js'

describe('WaitGroup', () => {
  it('resolves at once without work', async () => {
    await new WaitGroup().wait()
  })

  it('waits for work that is added while waiting', async () => {
    const group = new WaitGroup()
    let hasEnded = false
    group.add()
    void group.wait().then(() => (hasEnded = true))
    group.done()
    group.add()
    await flush()
    expect(hasEnded).to.equal(false)
    group.done()
    await flush()
    expect(hasEnded).to.equal(true)
  })
})
