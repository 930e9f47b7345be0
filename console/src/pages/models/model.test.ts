import { expect } from 'chai'
import { capabilityNames, providersInOrder, serversInOrder, countProblems } from './model.js'
import { laterAnswers } from '../../../test/example-data.js'

const NOW = 1_800_000_000_000

describe('models and servers', () => {
  it('are sorted with problems first, and counted', () => {
    const { providers } = laterAnswers(NOW)['models:list'] as { providers: Parameters<typeof providersInOrder>[0] }
    const { servers } = laterAnswers(NOW)['mcp:list'] as { servers: Parameters<typeof serversInOrder>[0] }
    expect(providersInOrder(providers).map(({ alias }) => alias)).to.deep.equal(['anthropic', 'openai', 'local'])
    expect(serversInOrder(servers).map(({ name }) => name)).to.deep.equal(['browser', 'tickets', 'calendar', 'archive'])
    expect(countProblems(providers, servers, NOW)).to.deep.equal({ failed: 1, cooling: 1, disconnected: 1, held: 1 })
    expect(countProblems(providers, servers, NOW + 200_000).cooling).to.equal(0)
    expect(
      capabilityNames({ id: 'm', score: 1, capabilities: { vision: true, streaming: true, thinking: false } }),
    ).to.deep.equal(['vision'])
  })
})
