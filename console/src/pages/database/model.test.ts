import { expect } from 'chai'
import {
  conditionsText,
  countOf,
  keyOf,
  markDelete,
  NOTHING,
  parseConditions,
  parsePending,
  readCell,
  setCell,
  shownRow,
  undo,
  whereOf,
  whereOfConditions,
  type Column,
} from './model.js'

const columns: Column[] = [
  { name: 'id', type: 'integer', primary: true },
  { name: 'text', type: 'text' },
  { name: 'score', type: 'integer', nullable: true },
  { name: 'data', type: 'simple-json' },
]

const row = { id: 7, text: 'hello', score: null, data: { a: 1 } }

const key = keyOf(row, columns)

describe('pending changes', () => {
  it('hold the value of a cell until it equals the original', () => {
    const changed = setCell(setCell(NOTHING, key, row, 'text', 'bye'), key, row, 'score', 3)
    expect(shownRow(changed, key, row)).to.deep.include({ text: 'bye', score: 3 })
    expect(countOf(changed)).to.equal(1)
    const back = setCell(setCell(changed, key, row, 'text', 'hello'), key, row, 'score', null)
    expect(countOf(back)).to.equal(0)
    expect(row.text).to.equal('hello')
  })

  it('distinguish NULL from empty text', () => {
    expect(setCell(NOTHING, key, { ...row, text: '' }, 'text', null).updates[key]?.change).to.deep.equal({ text: null })
    expect(countOf(setCell(NOTHING, key, row, 'score', ''))).to.equal(1)
  })

  it('of a row are dropped when it is marked for deletion, which can be undone', () => {
    const marked = markDelete(setCell(NOTHING, key, row, 'text', 'bye'), key, row)
    expect(Object.keys(marked.updates)).to.deep.equal([])
    expect(countOf(marked)).to.equal(1)
    expect(countOf(undo(marked, key))).to.equal(0)
  })

  it('name a row by its whole key', () => {
    expect(whereOf(row, columns)).to.deep.equal({ id: 7 })
    expect(
      keyOf({ a: 1, b: '2' }, [
        { name: 'a', type: '', primary: true },
        { name: 'b', type: '', primary: true },
      ]),
    ).to.not.equal(
      keyOf({ a: '1', b: 2 }, [
        { name: 'a', type: '', primary: true },
        { name: 'b', type: '', primary: true },
      ]),
    )
  })
})

describe('readCell', () => {
  const column = (type: string): Column => ({ name: 'x', type })
  it('converts to the type of the column, else keeps text', () => {
    expect(readCell('12', column('integer'))).to.equal(12)
    expect(readCell('1.5', column('real'))).to.equal(1.5)
    expect(readCell('12', column('text'))).to.equal('12')
    expect(readCell('{"a":1}', column('simple-json'))).to.deep.equal({ a: 1 })
    expect(readCell('{a', column('simple-json'))).to.equal('{a')
    expect(readCell('true', column('boolean'))).to.equal(true)
  })

  it('keeps an integer that is too large as text', () => {
    expect(readCell('9007199254740993', column('bigint'))).to.equal('9007199254740993')
    expect(readCell('9007199254740991', column('bigint'))).to.equal(9007199254740991)
  })
})

describe('conditions', () => {
  it('are kept in the address and converted for the host', () => {
    const conditions = [
      { column: 'score', operator: '$gte' as const, value: '-5' },
      { column: 'score', operator: '$lt' as const, value: '9' },
      { column: 'text', operator: 'null_' as const, value: '' },
    ]
    expect(parseConditions(conditionsText(conditions))).to.deep.equal(conditions)
    expect(whereOfConditions(conditions, columns)).to.deep.equal({ score: { $gte: -5, $lt: 9 }, text: null })
    expect(conditionsText([])).to.equal('')
  })

  it('are empty for a malformed address', () => {
    for (const text of ['', '{', '5', '[["a"]]', '[["a","$drop","x"]]']) expect(parseConditions(text)).to.deep.equal([])
  })
})

describe('parsePending', () => {
  const pending = {
    inserts: [{ id: 'new 1', row: { text: 'a' } }],
    updates: { '[1]': { row: { id: 1 }, change: { text: 'b' } } },
    deletes: { '[2]': { row: { id: 2 } } },
  }

  it('reads what was kept', () => {
    expect(parsePending(JSON.stringify(pending))).to.deep.equal(pending)
  })

  it('takes nothing that another version may have written', () => {
    for (const text of [null, '', '[]', '{}', JSON.stringify({ ...pending, inserts: [{}] })])
      expect(parsePending(text)).to.equal(undefined)
    expect(parsePending(JSON.stringify({ ...pending, updates: { '[1]': { row: {} } } }))).to.equal(undefined)
    expect(parsePending(JSON.stringify({ ...pending, deletes: { '[1]': 4 } }))).to.equal(undefined)
  })
})
