import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { redeliveryRounds } from './redelivery-rounds.js'

describe('DatabaseMessageStore in a killed process', () => {
  it('handles and answers each message at most once, and knows the outcome of every accepted one', async function () {
    this.timeout(60_000)
    const data = await mkdtemp(join(tmpdir(), 'mynah-killed-'))
    const found = await redeliveryRounds(data, 4)
    await rm(data, { recursive: true, force: true })
    expect(found).to.deep.include({ rounds: 4, twice: 0, answeredTwice: 0, lost: 0 })
    expect(found.accepted).to.be.greaterThan(0)
  })
})
