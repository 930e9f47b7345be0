import { expect } from 'chai'
import { indexWords, questionTerms } from './words.js'

const words = (question: string): string[] => questionTerms(question).map(({ word }) => word)

describe('words of documents and questions', () => {
  it('separates words at what is no letter and no digit, so that both databases see the same', () => {
    expect(indexWords('Set `ai.skills` in SKILL.md (v2)!')).to.equal('set ai skills in skill md v2')
  })

  it('writes pairs of characters for scripts without spaces, and the last character', () => {
    expect(indexWords('用HTTPS证书')).to.match(/^用 +https +证书 书$/)
    expect(indexWords('开机启动')).to.equal('开机 机启 启动 动')
  })

  it('takes wide letters as others', () => {
    expect(indexWords('ＡＢＣ')).to.equal('abc')
  })

  it('leaves out words of a question that say nothing about the answer', () => {
    expect(words('How do I restart the host?')).to.deep.equal(['restart', 'host'])
    expect(words('怎么重启主机？')).to.deep.equal(['重启', '启主', '主机'])
  })

  it('keeps such words when a question has no others', () => {
    expect(words('what is it')).to.deep.equal(['what', 'is', 'it'])
  })

  it('looks for one character at the beginning of pairs', () => {
    expect(questionTerms('猫')).to.deep.equal([{ word: '猫', isPrefix: true }])
  })

  it('has no terms without letters, and few of a long question', () => {
    expect(questionTerms('"*() OR - ^:')).to.deep.equal([{ word: 'or', isPrefix: false }])
    expect(questionTerms('?!*"')).to.deep.equal([])
    expect(questionTerms(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ')).length).to.equal(32)
  })
})
