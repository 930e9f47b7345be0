import { expect } from 'chai'
import { isCurrent, navigation, type NavSource } from './nav.js'

const groups = [
  ['operate', 'Operate'],
  ['extensions', 'Extensions'],
] as const

const shape = (sources: readonly NavSource[]) =>
  navigation(sources, groups).map((group) => [
    group.name,
    group.items.map((item) =>
      item.children.length > 0 ? [item.name, item.children.map((child) => child.name)] : item.name,
    ),
  ])

describe('navigation', () => {
  it('orders by order, then name, and leaves empty groups out', () => {
    expect(
      shape([
        { id: 'b', name: 'Beta', path: '/b', group: 'operate' },
        { id: 'a', name: 'Alpha', path: '/a', group: 'operate' },
        { id: 'first', name: 'Zulu', path: '/z', group: 'operate', order: 1 },
      ]),
    ).to.deep.equal([['Operate', ['Zulu', 'Alpha', 'Beta']]])
  })

  it('puts items without a group under extensions, and new groups after them', () => {
    expect(
      shape([
        { id: 'a', name: 'A', path: '/a' },
        { id: 'b', name: 'B', path: '/b', group: 'Games' },
        { id: 'c', name: 'C', path: '/c', group: 'Operate' },
      ]),
    ).to.deep.equal([
      ['Operate', ['C']],
      ['Extensions', ['A']],
      ['Games', ['B']],
    ])
  })

  it('nests under a parent found by path, id or name, and lists deeper ones on the same level', () => {
    expect(
      shape([
        { id: 'home', name: 'Home', path: '/home' },
        { id: 'x', name: 'X', path: '/home/x', parent: '/home' },
        { id: 'y', name: 'Y', path: '/y', parent: 'x' },
        { id: 'z', name: 'Z', path: '/z', parent: 'Home' },
      ]),
    ).to.deep.equal([['Extensions', [['Home', ['X', 'Y', 'Z']]]]])
  })

  it('does not lose items whose parents are missing or go in a circle', () => {
    expect(
      shape([
        { id: 'a', name: 'A', parent: 'b' },
        { id: 'b', name: 'B', parent: 'a' },
        { id: 'c', name: 'C', parent: 'nobody' },
        { id: 'd', name: 'D', parent: 'd' },
      ]),
    ).to.deep.equal([['Extensions', ['A', 'B', 'C', 'D']]])
  })

  it('knows the current item and those above it', () => {
    expect(isCurrent('/plugins', '/plugins/chat')).to.equal(true)
    expect(isCurrent('/plugins', '/plugins-other')).to.equal(false)
  })
})
