// The long form is faults/steps-of-asking.mjs.
import { expect } from 'chai'

interface Row {
  readonly passed: boolean
  readonly result: string
}

describe('host that is killed while it asks its owner', () => {
  it('continues an approved request once and leaves no orphaned request', async function () {
    this.timeout(180_000)
    const { run } = (await import(new URL('../../faults/steps-of-asking.mjs', import.meta.url).href)) as {
      run(options: { rounds: number; steps: string[]; who: string[] }): Promise<Row>
    }
    const { passed, result } = await run({ rounds: 1, steps: ['after the request'], who: ['task'] })
    expect(passed, result).to.equal(true)
  })
})
