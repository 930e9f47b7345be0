import { expect } from 'chai'
import { SerialQueue } from './serial-queue.js'

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('did not reject'),
    (error: unknown) => error,
  )

describe('SerialQueue', () => {
  it('runs jobs in order and continues after a failure', async () => {
    const queue = new SerialQueue()
    const order: string[] = []
    const failing = queue.run(async () => {
      await Promise.resolve()
      order.push('first')
      throw new Error('broken')
    })
    const second = queue.run(() => order.push('second'))
    expect(((await failureOf(failing)) as Error).message).to.equal('broken')
    await second
    expect(order).to.deep.equal(['first', 'second'])
  })

  it('is idle when jobs that were added while waiting have ended', async () => {
    const queue = new SerialQueue()
    const order: string[] = []
    void queue.run(() => void queue.run(() => order.push('added')))
    await queue.idle()
    expect(order).to.deep.equal(['added'])
  })
})
