import { expect } from 'chai'
import { parseHosts, rememberHost } from './hosts.js'

describe('known hosts', () => {
  it('keep the label when a host is used again, newest first, ten at most', () => {
    const hosts = rememberHost(rememberHost([], { base: 'http://a', label: 'A' }), { base: 'http://b' })
    expect(rememberHost(hosts, { base: 'http://a' })).to.deep.equal([
      { base: 'http://a', label: 'A' },
      { base: 'http://b' },
    ])
    let many = hosts
    for (let index = 0; index < 20; index += 1) many = rememberHost(many, { base: `http://h${index}` })
    expect(many).to.have.length(10)
  })

  it('take nothing from storage but bases, labels and colours', () => {
    expect(parseHosts('[{"base":"http://a","token":"t","colour":"red","label":7},{"label":"x"},3]')).to.deep.equal([
      { base: 'http://a' },
    ])
    expect(parseHosts('not json')).to.deep.equal([])
  })
})
