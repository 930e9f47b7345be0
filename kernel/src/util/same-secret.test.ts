import { expect } from 'chai'
import { sameSecret } from './same-secret.js'

describe('sameSecret', () => {
  it('tells equal texts from others of any length', () => {
    expect(sameSecret('密码', '密码')).to.equal(true)
    for (const other of ['', '密', '密码 ', '密碼', 'a'.repeat(10_000)])
      expect(sameSecret('密码', other), other).to.equal(false)
  })
})
