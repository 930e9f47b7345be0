import { expect } from 'chai'
import { closestMatch } from './closest-match.js'

describe('closestMatch', () => {
  it('finds a similar name, and nothing when none is similar', () => {
    expect(closestMatch('databse', ['chat', 'database'])).to.equal('database')
    expect(closestMatch('Chat', ['chat'])).to.equal('chat')
    expect(closestMatch('x', ['database'])).to.equal(undefined)
  })
})
