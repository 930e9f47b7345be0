import { expect } from 'chai'
import { rowsToShow, STEP } from './variable-rows.js'

const lines = Array.from({ length: 500 }, (_, index) => ({ name: `NAME_${index}`, value: `v${index}`, raw: '' }))
const view = { filter: '', most: STEP, touched: new Set<string>() }

describe('rows of a large environment file', () => {
  it('are the first of them, and those that a person works on', () => {
    const { shown, left } = rowsToShow({ lines, gone: [] }, { ...view, touched: new Set(['NAME_499', 'NAME_0']) })
    expect(shown.map(({ name }) => name)).to.deep.equal([...lines.slice(0, STEP).map(({ name }) => name), 'NAME_499'])
    expect(left).to.equal(500 - STEP - 1)
  })

  it('are found by name, not by value, and those that were taken out with them', () => {
    const found = rowsToShow({ lines, gone: ['OLD_name_49'] }, { ...view, filter: ' name_49 ' })
    expect(found.shown).to.have.length(11)
    expect(found.gone).to.deep.equal(['OLD_name_49'])
    expect(found.left).to.equal(0)
    expect(rowsToShow({ lines, gone: [] }, { ...view, filter: 'v49' })).to.deep.equal({ shown: [], gone: [], left: 0 })
  })

  it('count those that were taken out and have no room', () => {
    const gone = lines.map(({ name }) => name)
    const { gone: shown, left } = rowsToShow({ lines: [], gone }, view)
    expect(shown).to.have.length(STEP)
    expect(left).to.equal(500 - STEP)
  })
})
