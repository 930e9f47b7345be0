import { expect } from 'chai'
import fc from 'fast-check'
import { prettyJson } from './pretty-json.js'

describe('JSON in lines', () => {
  it('is what JSON.stringify writes with two spaces', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const pretty = JSON.stringify(value, null, 2)
        expect(prettyJson(JSON.stringify(value))).to.equal(pretty)
        expect(prettyJson(pretty)).to.equal(pretty)
      }),
    )
  })

  it('keeps numbers and repeated names as they were written', () => {
    expect(prettyJson('{"id":12345678901234567890,"id":1.0}')).to.equal(
      '{\n  "id": 12345678901234567890,\n  "id": 1.0\n}',
    )
  })

  it('leaves other text alone', () => {
    for (const text of ['', 'done', '"a,b"', '12', 'null', '{"cut":"of', 'see [1], {2}'])
      expect(prettyJson(text)).to.equal(text)
  })
})
