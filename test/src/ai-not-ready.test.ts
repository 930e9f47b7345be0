import { expect } from 'chai'
import { WholeHost } from './whole-host.js'

const EMPTY = { items: [], page: 1, total: 0, totalPages: 0 }

describe('GET /introspection without a ready agent', () => {
  let host: WholeHost | undefined
  afterEach(async () => {
    await host?.close()
  })

  for (const [there, without, expected] of [
    ['models and an agent', [], { bindings: 200, tools: 200, mcp: 200 }],
    ['models and no agent', ['agent', 'tasks'], { bindings: 503, tools: 503, mcp: 503 }],
    ['an agent and no models', ['ai'], { bindings: 503, tools: 503, mcp: 200 }],
    ['neither', ['agent', 'ai', 'tasks'], { bindings: 503, tools: 503, mcp: 503 }],
  ] as const) {
    it(`answers ${JSON.stringify(expected)} with ${there}`, async () => {
      // The servers are the agent's: without their plugin its list is empty.
      host = await WholeHost.start('', { without: [...without, 'mcp'] })
      for (const [resource, status] of Object.entries(expected)) {
        const reply = await host.call(`/api/introspection/${resource}`)
        expect(reply.status, resource).to.equal(status)
        if (status === 200) {
          expect(reply.json.data, resource).to.include.keys('items', 'page', 'pageSize', 'total', 'totalPages')
          continue
        }
        expect(reply.json, resource).to.deep.include({ success: false, code: 'not_ready' })
        expect(reply.json.error, resource).to.match(/not ready/)
        expect(reply.json.data, resource).to.deep.include(EMPTY)
      }
    })
  }
})
