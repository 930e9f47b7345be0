// Many who ask for the same at once: two reads at most, and nobody is told what was before the question.
import { expect } from 'chai'
import { sharedRead } from '../util/shared-read.js'

describe('a shared read', () => {
  it('runs once more for all who came while it ran', async () => {
    const ends: ((value: number) => void)[] = []
    const read = sharedRead(
      () =>
        new Promise<number>((resolve) => {
          ends.push(resolve)
        }),
    )
    const first = read()
    const others = [read(), read(), read()]
    expect(ends).to.have.length(1)
    ends[0]?.(1)
    expect(await first).to.equal(1)
    await Promise.resolve()
    expect(ends).to.have.length(2)
    ends[1]?.(2)
    expect(await Promise.all(others)).to.deep.equal([2, 2, 2])
  })

  it('fails for those who shared it, and is tried again by the next', async () => {
    let calls = 0
    const read = sharedRead(async () => {
      if (++calls === 1) throw new Error('away')
      return calls
    })
    const outcomes = await Promise.allSettled([read(), read()])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled'])
    expect(await read()).to.equal(3)
  })
})
