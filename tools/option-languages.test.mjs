import { expect } from 'chai'
import { differencesOf } from './option-languages.mjs'

describe('option-languages', () => {
  it('names an option without a description, and a description without an option', () => {
    const described = [
      ['http.port', 'Port'],
      ['http.host', 'Host'],
    ]
    expect(differencesOf(described, { 'http.port': '端口', 'http.gone': '?' })).to.deep.equal([
      'the option http.host has no description',
      'there is no option http.gone, or it has no English description',
    ])
    expect(differencesOf(described, { 'http.port': '端口', 'http.host': '主机' })).to.deep.equal([])
    expect(differencesOf([], undefined)).to.deep.equal([])
  })
})
