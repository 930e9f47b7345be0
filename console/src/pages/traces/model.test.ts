import { expect } from 'chai'
import { Trace } from '@mynah/contract'
import { exampleOf } from '../../../test/schema-example.js'
import { filterTraces, groupOf, scaleMarks, stageTime, stepTree, timeOf, treeRows } from './model.js'

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
  it('groups steps and gives each without a duration the time since the one before', () => {
    const steps = stepTree(
      trace([
        { stage: 'store', name: 'accept', outcome: 'stored', ms: 3 },
        { stage: 'ai', name: 'main', outcome: 'matched', ms: 10 },
        { stage: 'tool', name: 'bash', outcome: 'refused', ms: 30 },
        { stage: 'send', name: 'x', outcome: 'sent', ms: 90 },
      ]),
    )
    expect(
      steps.map(({ group, steps: items }) => [
        group,
        items.map(({ from, duration: time, tone }) => [from, time, tone]),
      ]),
    ).to.deep.equal([
      ['accepted', [[0, 3, 'plain']]],
      ['decided', [[3, 7, 'plain']]],
      ['answered', [[10, 20, 'wrong']]],
      ['sent', [[30, 60, 'plain']]],
    ])
    expect(groupOf('something new')).to.equal('decided')
  })

  const nested = trace([
    { stage: 'model', name: 'm', outcome: 'tool-calls', ms: 100, durationMs: 90 },
    { stage: 'model', name: 'm', outcome: 'stop', ms: 600, durationMs: 450, parent: 'a' },
    { stage: 'wait', name: 'tasks', outcome: 'ended', ms: 690, durationMs: 580, parent: 'a' },
    { stage: 'tool', name: 'spawn_task', outcome: 'ran', ms: 700, durationMs: 600, id: 'a' },
    { stage: 'tool', name: 'bash', outcome: 'ran', ms: 900, durationMs: 800, id: 'b' },
    { stage: 'tool', name: 'deep', outcome: 'failed', ms: 950, durationMs: 10, parent: 'elsewhere' },
  ])

  it('shows the parts of a step below it, by their beginning, and parts of a step that still runs in their group', () => {
    const shown = (closed: readonly string[]) =>
      treeRows(stepTree(nested), new Set(closed)).map(
        ({ level, open, group, item }) => `${level} ${group?.group ?? item?.step.name}${open ? ' open' : ''}`,
      )
    expect(shown([])).to.deep.equal([
      '1 answered open',
      '2 m',
      '2 spawn_task open',
      '3 tasks',
      '3 m',
      '2 bash',
      '2 deep',
    ])
    expect(shown(['3'])).to.deep.equal(['1 answered open', '2 m', '2 spawn_task', '2 bash', '2 deep'])
    expect(shown(['answered'])).to.deep.equal(['1 answered'])
  })

  it('counts time once in which several steps ran, and that of sub-tasks with the tool that ran them', () => {
    const tree = stepTree(nested)
    expect(stageTime(tree, 'tool')).to.equal(810)
    expect(stageTime(tree, 'model')).to.equal(90)
    expect(timeOf(tree.flatMap(({ steps }) => steps))).to.equal(900)
  })

  it('shows each step once where ids go round in a circle', () => {
    const circle = trace([
      { stage: 'tool', name: 'own', outcome: 'ran', ms: 1, id: 'own', parent: 'own' },
      { stage: 'tool', name: 'one', outcome: 'ran', ms: 2, id: 'one', parent: 'two' },
      { stage: 'tool', name: 'two', outcome: 'ran', ms: 3, id: 'two', parent: 'one' },
    ])
    const names = treeRows(stepTree(circle), new Set()).flatMap(({ item }) => (item ? [item.step.name] : []))
    expect(names.sort()).to.deep.equal(['one', 'own', 'two'])
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
