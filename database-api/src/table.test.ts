import { expect } from 'chai'
import { entity } from './table.js'

interface Room {
  readonly id: string
  readonly opened: number
  readonly name?: string
}

describe('entity', () => {
  it('has a column for each field of a row, also for optional ones: the compiler names one that is missing', () => {
    const columns = { id: { type: 'text', primary: true }, opened: { type: 'bigint' } } as const
    const name = { type: 'text', nullable: true } as const
    expect(entity<Room>({ package: 'p', name: 'room', columns: { ...columns, name } }).table).to.equal('room')
    // @ts-expect-error: the column `name` is missing
    entity<Room>({ package: 'p', name: 'room', columns })
  })

  it('refuses names of tables that a database would fold or quote', () => {
    expect(() => entity({ package: 'p', name: 'Room', columns: {} })).to.throw(/lower-case/)
  })
})
