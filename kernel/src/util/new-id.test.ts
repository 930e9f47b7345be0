import { expect } from 'chai'
import { forgetIds, newId } from './new-id.js'

describe('newId', () => {
  it('returns ids that sort by creation and never repeat', () => {
    const ids = Array.from({ length: 5_000 }, () => newId())
    expect([...ids].sort()).to.deep.equal(ids)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(ids.every((id) => /^[0-9a-z]{20}$/.test(id))).to.equal(true)
  })

  it('returns greater ids when the clock goes back', () => {
    const later = newId(Date.now() + 60_000)
    expect(newId(0) > later).to.equal(true)
  })

  it('starts over from the time where earlier ids were forgotten', () => {
    const later = newId(Date.now() + 60_000)
    forgetIds()
    expect(newId() < later).to.equal(true)
  })
})
