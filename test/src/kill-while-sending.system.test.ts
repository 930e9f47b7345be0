// The long form is faults/steps-of-sending.mjs.
import { expect } from 'chai'

interface Row {
  readonly passed: boolean
  readonly result: string
}

describe('host that is killed while it sends', () => {
  it('sends no message twice and knows the status of every message', async function () {
    this.timeout(60_000)
    const { run } = (await import(new URL('../../faults/steps-of-sending.mjs', import.meta.url).href)) as {
      run(options: { rounds: number; steps: string[] }): Promise<Row>
    }
    const { passed, result } = await run({
      rounds: 1,
      steps: ['before the intent', 'after the intent', 'after it is marked', 'after the platform has it'],
    })
    expect(passed, result).to.equal(true)
  })
})
