import { expect } from 'chai'
import { Kept, type KeptStore } from './kept.js'

class Table {
  rows = 0
}

describe('Kept', () => {
  let warnings: string[]
  const kept = (store?: KeptStore): Kept => new Kept('p', store, (message) => void warnings.push(message))
  beforeEach(() => {
    warnings = []
  })

  it('carries plain values over to new code, as they are', () => {
    const all = kept()
    const value = all.keep('map', () => new Map([['a', { at: new Date(0), all: new Set([1]) }]]))
    all.started()
    all.renew()
    expect(all.keep('map', () => new Map())).to.equal(value)
    expect(warnings).to.deep.equal([])
  })

  for (const [what, value] of [
    ['an object of a class', new Table()],
    ['one in a list of a map', new Map([['a', [new Table()]]])],
    ['a function', () => 1],
    ['a getter', Object.defineProperty({}, 'x', { get: () => 1, enumerable: true })],
    ['a promise', Promise.resolve()],
    ['a proxy', new Proxy({}, {})],
  ] as const) {
    it(`begins with a new value where it held ${what}, and says so`, () => {
      const all = kept()
      all.keep<unknown>('x', () => value)
      all.started()
      all.renew()
      expect(all.keep<unknown>('x', () => 'new')).to.equal('new')
      expect(warnings).to.have.lengthOf(1)
      expect(warnings[0]).to.contain('keep "x" begins with a new value')
    })
  }

  it('lets the new code adopt a value', () => {
    const all = kept()
    all.keep('table', () => Object.assign(new Table(), { rows: 3 }))
    all.started()
    all.renew()
    const adopt = ({ rows }: Table): Table => Object.assign(new Table(), { rows: rows + 1 })
    expect(all.keep('table', () => new Table(), { adopt }).rows).to.equal(4)
    expect(all.keep('table', () => new Table(), { adopt }).rows, 'once').to.equal(4)
  })

  it('gives the code before its values back where the new code did not start', () => {
    const all = kept()
    const table = all.keep('table', () => new Table())
    all.started()
    all.renew()
    all.keep('table', () => new Table(), { adopt: () => new Table() })
    all.keep('more', () => 1)
    all.restore()
    expect(all.keep('table', () => new Table())).to.equal(table)
    expect(all.keys()).to.deep.equal(['table'])
  })

  it('carries values over code that never started, and those that code has not asked for', () => {
    const all = kept()
    all.keep('a', () => 'a')
    all.keep('b', () => 'b')
    all.started()
    all.renew()
    all.keep('a', () => 'of code that never started')
    all.renew()
    expect(all.keep('a', () => 'x')).to.equal('a')
    all.started()
    all.renew()
    expect(all.keep('b', () => 'x')).to.equal('b')
  })

  it('refuses a durable value that is not plain', () => {
    expect(() => kept().keep('x', () => new Table(), { durable: true })).to.throw(TypeError, 'keep "x" is durable')
  })

  it('goes on where the store fails, and says so', async () => {
    const fails = (): never => {
      throw new Error('no disk')
    }
    const all = kept({ read: fails, write: () => Promise.reject(new Error('no disk')), remove: fails })
    expect(all.keep('x', () => 1, { durable: true })).to.equal(1)
    await all.save()
    all.forget()
    expect(warnings).to.have.lengthOf(3)
    for (const warning of warnings) expect(warning).to.contain('no disk')
  })
})
