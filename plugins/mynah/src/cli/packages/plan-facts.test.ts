import { expect } from 'chai'
import type { PackageChange } from '@mynah/contract/types'
import { addFacts } from './plan-facts.js'

const change = (name: string, from: string | undefined, to: string): PackageChange => ({
  name,
  path: `node_modules/${name}`,
  ...(from === undefined ? {} : { from }),
  to,
  asked: true,
})
const { signal } = new AbortController()

describe('the facts of a plan', () => {
  it('come from the registry while the changelog is read, both versions by one process', async () => {
    const asked: string[] = []
    let isRead = (): void => {}
    const read = new Promise<void>((resolve) => (isRead = resolve))
    const { plan } = await addFacts(
      [change('dice', '1.0.0', '1.1.0')],
      {
        // Answers only after the changelog was asked for.
        async view(spec) {
          await read
          asked.push(spec)
          const version = (number: string, dist: object): object => ({ name: 'dice', version: number, dist })
          return [version('1.0.0', { attestations: {} }), version('1.1.0', { unpackedSize: 7 })]
        },
        diff() {
          isRead()
          return Promise.resolve('diff --git a/CHANGELOG.md b/CHANGELOG.md\n@@ -0,0 +1 @@\n+Ten sides\n')
        },
      },
      signal,
    )
    expect(asked).to.deep.equal(['dice@1.1.0 || 1.0.0'])
    expect(plan.changes[0]).to.deep.include({ bytes: 7, provenance: 'lost', changelog: { text: 'Ten sides' } })
  })

  it('are left out for what no registry knows, and where it says nothing of the new version', async () => {
    const asked: string[] = []
    const ask = {
      view(spec: string) {
        asked.push(spec)
        return Promise.resolve({ name: 'dice', version: '1.0.0', dist: { unpackedSize: 7 } })
      },
      diff: () => Promise.resolve(''),
    }
    const changes = [change('local', undefined, 'file:../local'), change('dice', '1.0.0', '1.1.0')]
    const { plan } = await addFacts(changes, ask, signal)
    expect(asked).to.deep.equal(['dice@1.1.0 || 1.0.0'])
    for (const one of plan.changes) expect(one).not.to.have.any.keys('bytes', 'provenance')
  })
})
