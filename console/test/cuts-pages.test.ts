// Lists that the host gives whole.
import { expect } from 'chai'
import { parsePageNumber, paginate } from '../src/lib/paginate.js'

const rows = Array.from({ length: 140 }, (_, index) => ({ name: `row ${index}`, size: index % 7 }))
const cut = { filter: '', page: 1, pageSize: 25, text: (row: { name: string }) => row.name }

describe('pages of a list', () => {
  it('cuts, counts and keeps the order that came', () => {
    const page = paginate(rows, { ...cut, page: 2 })
    expect(page.rows.map((row) => row.name).slice(0, 2)).to.deep.equal(['row 25', 'row 26'])
    expect(page).to.include({ total: 140, page: 2, totalPages: 6 })
  })

  it('corrects a page beyond the end to the last, and one before the first', () => {
    expect(paginate(rows, { ...cut, page: 99 })).to.include({ page: 6 })
    expect(paginate(rows, { ...cut, page: 99 }).rows).to.have.length(15)
    expect(paginate(rows, { ...cut, page: -3 })).to.include({ page: 1 })
  })

  it('filters without regard to case, and an empty result has no pages', () => {
    expect(paginate(rows, { ...cut, filter: ' ROW 13 ' }).rows.map((row) => row.name)).to.deep.equal([
      'row 13',
      ...Array.from({ length: 10 }, (_, index) => `row 13${index}`),
    ])
    expect(paginate(rows, { ...cut, filter: 'nothing' })).to.deep.include({
      rows: [],
      total: 0,
      totalPages: 0,
      page: 1,
    })
  })

  it('sorts both ways, numbers as numbers, and ignores an unknown column', () => {
    const by = { name: (row: { name: string }) => row.name, size: (row: { size: number }) => row.size }
    const sizes = (sort: string): number[] =>
      paginate(rows, { ...cut, pageSize: 200, sort, by }).rows.map((row) => row.size)
    expect(sizes('size')).to.deep.equal([...sizes('size')].sort((a, b) => a - b))
    expect(sizes('-size')[0]).to.equal(6)
    expect(sizes('nothing')).to.deep.equal(rows.map((row) => row.size))
  })

  it('takes only whole positive numbers from an address', () => {
    expect(parsePageNumber('12')).to.equal(12)
    for (const text of ['0', '-1', '1e3', '1.5', '', 'x', '99999999999'])
      expect(parsePageNumber(text), text).to.equal(1)
  })
})
