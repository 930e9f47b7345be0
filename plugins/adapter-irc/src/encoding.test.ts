import { expect } from 'chai'
import { decode } from './encoding.js'

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Buffer => Buffer.from(text, encoding)

describe('the encoding of a line', () => {
  it('loses only the character within which it was cut', () => {
    const text = 'bot[x]: 李子什么时候成柿，'
    for (const cut of [1, 2]) expect(decode(bytes(text).subarray(0, -cut))).to.equal('bot[x]: 李子什么时候成柿')
    expect(decode(bytes('hi 👋').subarray(0, -1))).to.equal('hi ')
    expect(decode(bytes('only 李').subarray(0, -1))).to.equal('only ')
  })

  it('loses only this character at the start, in an action and before words that follow', () => {
    expect(decode(bytes('李子什么').subarray(1))).to.equal('子什么')
    expect(decode(Buffer.concat([bytes('\x01ACTION 李子').subarray(0, -1), bytes('\x01')]))).to.equal(
      '\x01ACTION 李\x01',
    )
    expect(decode(Buffer.concat([bytes('<ann> 李子').subarray(0, -2), bytes(' (cut)')]))).to.equal('<ann> 李 (cut)')
  })

  it('is windows-1252 where it is not UTF-8', () => {
    for (const text of ['café', 'Grüße aus München', 'naïve déjà vu', '£5', 'é'])
      expect(decode(bytes(text, 'latin1'))).to.equal(text)
  })

  it('keeps whole texts, also with a character that stands for a broken one', () => {
    for (const text of ['', 'plain', 'a\ufffdb', '李子👋']) expect(decode(bytes(text))).to.equal(text)
  })
})
