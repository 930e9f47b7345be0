// A client of the event stream over hosts that are killed and stopped. The long form is faults/stream-clients.mjs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { streamRounds } from './stream-rounds.js'

describe('client of the event stream over restarts', () => {
  it('receives the event of every row once and in order', async function () {
    this.timeout(90_000)
    const data = await mkdtemp(join(tmpdir(), 'mynah-stream-'))
    const found = await streamRounds(data, 4)
    await rm(data, { recursive: true, force: true })
    expect(found).to.deep.include({ rounds: 4, missed: 0, wrong: 0, gaps: 0, resets: 0 })
    expect(found.rows).to.be.greaterThan(3)
  })
})
