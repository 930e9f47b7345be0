import { expect } from 'chai'
import { cut, storable } from './text.js'

describe('cut', () => {
  it('leaves a text that is short enough', () => {
    expect(cut('12345', 5)).to.equal('12345')
  })

  it('marks a text that was cut, and never cuts a surrogate pair', () => {
    expect(cut('123456', 5)).to.equal('1234…')
    expect(cut('123😀6', 5)).to.equal('123…')
    expect(cut('12😀56', 5)).to.equal('12😀…')
  })
})

describe('storable', () => {
  it('replaces NUL and halves of surrogate pairs', () => {
    expect(storable('a\0b')).to.equal('a\uFFFDb')
    expect(storable('a\uD83D')).to.equal('a\uFFFD')
    expect(storable('a😀')).to.equal('a😀')
  })
})
