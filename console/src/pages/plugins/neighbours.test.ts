import { expect } from 'chai'
import { curves, neighboursOf, withoutPlugin } from './neighbours.js'

const plugin = (name: string) => ({ name, status: 'active' as const, description: '', features: [] })

describe('neighbours of a plugin', () => {
  it('have all services between the two, those that cannot be missing first', () => {
    const database = plugin('database')
    expect(
      neighboursOf(
        [
          { service: 'renderer', kind: 'optional', plugin: 'renderer' },
          { service: 'database', kind: 'optional', plugin: 'database' },
          { service: 'migrations', kind: 'required', plugin: 'database' },
          { service: 'cluster', kind: 'if-enabled', plugin: 'cluster' },
          { service: 'host', kind: 'required' },
        ],
        [database],
      ),
    ).to.deep.equal([
      { name: 'database', plugin: database, services: ['database', 'migrations'], optional: false },
      { name: 'cluster', plugin: undefined, services: ['cluster'], optional: true },
      { name: 'renderer', plugin: undefined, services: ['renderer'], optional: true },
    ])
  })

  it('leave out services of the host', () => {
    const needs = [
      { service: 'host', kind: 'required' as const },
      { service: 'chat', kind: 'optional' as const, plugin: 'chat' },
    ]
    expect(withoutPlugin({ needs })).to.deep.equal(['host'])
    expect(withoutPlugin({})).to.deep.equal([])
  })

  it('are joined with the middle, a shorter side centred', () => {
    expect(curves(1, 40, 56, 120)).to.deep.equal(['M0 60C28 60 28 60 56 60'])
    expect(curves(2, 40, 56, 80)).to.deep.equal(['M0 20C28 20 28 40 56 40', 'M0 60C28 60 28 40 56 40'])
    expect(curves(0, 40, 56, 40)).to.deep.equal([])
  })
})
