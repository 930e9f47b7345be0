import { expect } from 'chai'
import fc from 'fast-check'
import { readListing } from './listing.js'

const all = (): boolean => true

describe('readListing', () => {
  it('reads any value', () => {
    fc.assert(
      fc.property(fc.array(fc.anything({ maxDepth: 4 })), (raw) => {
        for (const tool of readListing(raw, all).tools) expect(tool.parameters).to.have.property('type', 'object')
      }),
    )
  })

  it('leaves out unusable tools with a reason', () => {
    let deep: object = { type: 'string' }
    for (let level = 0; level < 100_000; level++) deep = { inner: deep }
    const { tools, leftOut } = readListing(
      [
        { name: 'fine' },
        { name: 'fine' },
        { description: 'no name' },
        { name: 'deep', inputSchema: { type: 'object', properties: deep } },
        { name: 'list', inputSchema: { type: 'array' } },
        { name: 'x'.repeat(300) },
        { name: 'task', execution: { taskSupport: 'required' } },
        null,
      ],
      all,
    )
    expect(tools.map(({ name, description, effect }) => [name, description, effect])).to.deep.equal([
      ['fine', 'fine', 'once'],
    ])
    expect(leftOut.map(({ name, reason }) => `${name} ${reason}`)).to.deep.equal([
      'fine is listed twice',
      ' has no name',
      'deep has a schema that cannot be used: it is nested deeper than 64 levels',
      'list has a schema that cannot be used: it must be the JSON Schema of an object',
      `${'x'.repeat(64)} has a name of 300 characters; 1 to 256 are taken`,
      'task runs as a task only, which is not supported',
      ' has no name',
    ])
  })

  it('names tools whose schema cannot be used, in bounded text without control characters', () => {
    const schema = { type: 'object', properties: { [`\u001b[2J${'x'.repeat(9_000)}`]: { type: 'Person' } } }
    const { leftOut } = readListing(
      Array.from({ length: 2_000 }, (_, index) => ({ name: `t${index}\u0000`, inputSchema: schema })),
      all,
    )
    expect(leftOut).to.have.length(512)
    expect(leftOut[0]?.name).to.equal('t0')
    expect(leftOut[0]?.reason)
      .to.match(/^has a schema that cannot be used: properties\.\[2Jxxx/)
      .and.have.length.below(301)
  })

  it('holds no tool back whose schema only a later version repairs', () => {
    const [broken] = readListing([{ name: 'a', inputSchema: { type: 'object', required: null } }], all).tools
    expect(broken?.parameters).to.deep.equal({ type: 'object', properties: {} })
    // As the versions computed it that offered the tool unrepaired.
    expect(broken?.fingerprint).to.equal('74356f3bf4ebea88ec0603c0311cd31e94f51f6dcb14e8c1c46f4315adf02e4c')
  })

  it('counts only included tools against the limits', () => {
    const raw = Array.from({ length: 700 }, (_, index) => ({ name: `t${index}` }))
    expect(readListing(raw, all).tools).to.have.length(512)
    expect(readListing(raw, (name) => name === 't699').tools.map(({ name }) => name)).to.deep.equal(['t699'])
    const wide = Array.from({ length: 100 }, (_, index) => ({
      name: `w${index}`,
      inputSchema: { type: 'object', description: 'x'.repeat(120_000) },
    }))
    expect(readListing(wide, all).tools.length).to.be.below(40)
  })

  it('removes control characters and cuts long descriptions', () => {
    const [tool] = readListing(
      [{ name: 'a', description: `One\u0000\u001b[2J\ttwo\nthree \ud800${'é'.repeat(9_000)}` }],
      all,
    ).tools
    expect(tool?.description.slice(0, 20)).to.equal('One[2J\ttwo\nthree \ufffdéé')
    expect(tool?.description.length).to.be.below(8_193)
  })
})
