import { expect } from 'chai'
import fc from 'fast-check'
import { RingBuffer } from './ring-buffer.js'

describe('RingBuffer', () => {
  it('keeps the newest items, like the end of a list, for any operations', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer())), fc.integer({ min: 1, max: 5 }), (items, capacity) => {
        const ring = new RingBuffer<number>(capacity)
        const model: number[] = []
        for (const item of items) {
          if (item === null) expect(ring.shift()).to.equal(model.shift())
          else {
            model.push(item)
            expect(ring.push(item)).to.equal(model.length > capacity ? model.shift() : undefined)
          }
          expect(ring.toArray()).to.deep.equal(model)
          expect([ring.size, ring.at(0), ring.at(-1), ring.at(capacity)]).to.deep.equal([
            model.length,
            model[0],
            model.at(-1),
            undefined,
          ])
        }
      }),
    )
  })
})
