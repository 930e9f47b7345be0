import { expect } from 'chai'
import { Trace } from '@mynah/contract'
import { exampleOf } from '../../../test/schema-example.js'
import { filterTraces, groupOf, scaleMarks, timedSteps } from './model.js'

describe('a trace', () => {
  const trace = (steps: Trace['steps'], durationMs = 100): Trace =>
    exampleOf(Trace, {
      messageId: 'm',
      endpointId: 'e',
      adapter: 'a',
      channel: { type: 'private', id: 'c' },
      sender: { id: 's', name: 'Sue' },
      text: 'hello',
      startedAt: 0,
      durationMs,
      steps,
      replies: 0,
    })
  it('groups steps and gives each the time since the one before', () => {
    const steps = timedSteps(
      trace([
        { stage: 'store', name: 'accept', outcome: 'stored', ms: 3 },
        { stage: 'ai', name: 'main', outcome: 'matched', ms: 10 },
        { stage: 'tool', name: 'bash', outcome: 'refused', ms: 30 },
        { stage: 'send', name: 'x', outcome: 'sent', ms: 90 },
      ]),
    )
    expect(
      [...steps].map(([group, items]) => [group, items.map(({ from, duration: time, tone }) => [from, time, tone])]),
    ).to.deep.equal([
      ['accepted', [[0, 3, 'plain']]],
      ['decided', [[3, 7, 'plain']]],
      ['answered', [[10, 20, 'wrong']]],
      ['sent', [[30, 60, 'plain']]],
    ])
    expect(groupOf('something new')).to.equal('decided')
  })

  it('is found by text, sender and id, by what went wrong and by how long it took', () => {
    const all = [
      trace([]),
      { ...trace([{ stage: 'model', name: 'm', outcome: 'failed', ms: 1 }], 5000), messageId: 'bad' },
    ]
    expect(filterTraces(all, { filter: 'SUE', show: '' })).to.have.length(2)
    expect(filterTraces(all, { filter: '', show: 'wrong' }).map(({ messageId }) => messageId)).to.deep.equal(['bad'])
    expect(filterTraces(all, { filter: 'bad', show: 'slow' })).to.have.length(1)
    expect(scaleMarks(4820)).to.deep.equal([0, 2000, 4000])
    expect(scaleMarks(0.01).length).to.be.greaterThan(1)
  })
})
