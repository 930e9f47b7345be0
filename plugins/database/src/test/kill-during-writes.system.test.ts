// A process that is killed while it writes. The long form is faults/kill-during-writes.mjs.
import { expect } from 'chai'
import { folder } from '../testing/fixture.js'
import { killRounds } from './kill-rounds.js'

describe('process that is killed during writes', () => {
  it('loses no acknowledged row and leaves no partial transaction, five times', async function () {
    this.timeout(60_000)
    const { path, remove } = await folder()
    const found = await killRounds(path, 5)
    await remove()
    expect(found).to.deep.include({ rounds: 5, lost: 0, halves: 0, damaged: 0 })
    expect(found.acknowledged).to.be.greaterThan(4)
  })
})
