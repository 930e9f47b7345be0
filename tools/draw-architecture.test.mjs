// Tests the picture of the packages.
import { expect } from 'chai'
import { draw, packageGraph, reduced, rowsOf } from './draw-architecture.mjs'

const graphOf = (object) => new Map(Object.entries(object).map(([name, targets]) => [name, new Set(targets)]))

describe('the picture of the packages', () => {
  const graph = graphOf({ a: [], b: ['a'], c: ['b', 'a'], d: ['a'] })

  it('has a package above all that it imports', () => {
    expect(rowsOf(graph)).to.deep.equal([['a'], ['b', 'd'], ['c']])
    expect(() => rowsOf(graphOf({ a: ['b'], b: ['a'] }))).to.throw('a circle of packages: a → b → a')
  })

  it('leaves out an arrow that follows from others', () => {
    expect(Object.fromEntries(reduced(graph))).to.deep.equal({ a: [], b: ['a'], c: ['b'], d: ['a'] })
  })

  it('is the same each time', () => {
    expect(draw(packageGraph())).to.equal(draw(packageGraph()))
    expect(draw(graph).match(/<path d="M\d/g).length).to.equal(4)
  })
})
