import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { expectSound } from '../history/expect-sound.mjs'
import { asTest } from '../history/print.mjs'
import { planOf } from '../history/plan.mjs'
import { runHistory } from '../history/run.mjs'
import { shrink } from '../history/shrink.mjs'

/** `npm run sim` plays as many as one likes, and `npm run test:faults` 1,000. */
const SEEDS = 200
const FOUND = new URL('../found/', import.meta.url)

describe('Simulated histories', function () {
  // Seconds of the processor, which a busy machine may stretch.
  this.timeout(600_000)

  it(`hold for ${SEEDS} seeds`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) await expectSound(planOf(seed))
  })

  it('are the same for the same seed, byte for byte', async () => {
    for (const seed of [3, 15, 27]) {
      const first = await runHistory({ ...planOf(seed), verbose: true })
      const second = await runHistory({ ...planOf(seed), verbose: true })
      expect(second.lines).to.deep.equal(first.lines)
      expect(second.digest).to.equal(first.digest)
    }
  })

  it('are the same whatever was played before, though they use the same file', async () => {
    const first = await runHistory(planOf(27))
    for (const seed of [4, 5]) await runHistory(planOf(seed))
    const later = await runHistory(planOf(27))
    expect(later.digest).to.equal(first.digest)
    for (const rows of ['messages', 'counts', 'turns', 'approvals', 'events'])
      expect(later.facts[rows], rows).to.deep.equal(first.facts[rows])
    expect(later.findings).to.deep.equal([])
    expect(later.changes).to.deep.equal(first.changes)
  })

  it('differ for different seeds', async () => {
    const digests = new Set()
    for (let seed = 1; seed <= 6; seed++) digests.add((await runHistory(planOf(seed))).digest)
    expect(digests.size).to.equal(6)
  })

  for (const file of readdirSync(FOUND).filter((name) => name.endsWith('.json')))
    it(`hold in the one found before: ${file.replace('.json', '')}`, () =>
      expectSound(JSON.parse(readFileSync(new URL(file, FOUND), 'utf8')).plan))
})

describe('A history that breaks a sentence', () => {
  it('is shortened to the steps and faults that it needs, and printed as a test', async () => {
    const finding = { sentence: 'nothing waits for ever', text: 'm1 was never taken' }
    const steps = [1, 2, 3].map((number) => ({
      at: number * 100,
      do: 'write',
      platform: 0,
      id: `m${number}`,
      from: 'ann',
      text: `/echo m${number}`,
    }))
    // The platform is offline for longer than the history lasts.
    const plan = {
      ...planOf(1),
      agent: false,
      steps: [{ at: 50, do: 'offline', platform: 0, ms: 1e9 }, ...steps],
      quietFor: 60_000,
    }
    const shortest = await shrink({ ...plan, staysOffline: true }, finding)
    expect(shortest.steps.map(({ do: what }) => what)).to.deep.equal(['offline', 'write'])
    expect(asTest(shortest, finding)).to.include('expectSound({').and.to.include('"ms":1000000000')
  })
})
