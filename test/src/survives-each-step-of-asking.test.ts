// A host that is killed while its agent asks the owner. All steps, many times over, are in faults/steps-of-asking.mjs.
import { expect } from 'chai'

interface Row {
  readonly passed: boolean
  readonly result: string
}

describe('a host that is killed while it asks its owner', () => {
  it('goes on once with what is approved, and leaves no request that nobody would use', async function () {
    this.timeout(180_000)
    const { run } = (await import(new URL('../../faults/steps-of-asking.mjs', import.meta.url).href)) as {
      run(options: { rounds: number; steps: string[] }): Promise<Row>
    }
    const { passed, result } = await run({ rounds: 1, steps: ['after the request'] })
    expect(passed, result).to.equal(true)
  })
})
