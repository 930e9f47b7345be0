import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { Outbox } from './outbox.js'

const ann = { type: 'private', id: 'ann' } as const

/** Returns a promise with the function that settles it. */
function held(): { readonly promise: Promise<void>; readonly end: () => void } {
  let end!: () => void
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}

describe('Outbox.enqueueWaiting', () => {
  it('lets the next message of the channel go on when one is taken, and is idle when its outcome is written', async () => {
    const outbox = new Outbox(new TestClock())
    const seen: string[] = []
    const outcome = held()
    const first = outbox.enqueueWaiting(ann, async (taken) => {
      seen.push('first')
      await Promise.resolve()
      taken()
      await outcome.promise
      seen.push('outcome of the first')
      return 'sent'
    })
    await outbox.enqueue(ann, async () => void seen.push('second'))
    expect(seen).to.deep.equal(['first', 'second'])
    const idle = outbox.idle().then(() => seen.push('idle'))
    outcome.end()
    expect(await first).to.equal('sent')
    await idle
    expect(seen).to.deep.equal(['first', 'second', 'outcome of the first', 'idle'])
  })

  it('goes on after a message that fails before it is taken, whose failure the caller gets', async () => {
    const outbox = new Outbox(new TestClock())
    const failed = outbox.enqueueWaiting(ann, () => Promise.reject(new Error('refused')))
    const second = outbox.enqueue(ann, async () => 'second')
    expect(
      await failed.then(
        () => undefined,
        ({ message }: Error) => message,
      ),
    ).to.equal('refused')
    expect(await second).to.equal('second')
    await outbox.idle()
  })
})
