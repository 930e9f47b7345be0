import { expect } from 'chai'
import { sectionsOfPlugin } from './own-sections.js'
import { countSettings } from './own-settings.js'

const section = (key: string, schema: object, plugin = 'greeter') => ({ key, plugin, schema: schema as never })
const problem = (...path: (string | number)[]) => ({ path, keyword: 'type', expected: 'string' })
const words = { type: 'object', properties: { hello: {}, bye: {}, times: {} } }

describe('settings of a plugin', () => {
  it('are the rows of its forms', () => {
    expect(countSettings([section('greeter', words)], {})).to.deep.equal({ all: 3, wrong: 0 })
    expect(
      countSettings([section('greeter', words)], {
        greeter: [problem('hello'), problem('hello', 1), problem('times'), problem('tims')],
        other: [problem('x')],
      }),
    ).to.deep.equal({ all: 4, wrong: 3 })
  })

  it('are counted over all its sections, one of no group as one', () => {
    const all = [section('greeter', words), section('names', { type: 'array', items: {} })]
    expect(countSettings(all, { names: [problem(0), problem(3)] })).to.deep.equal({ all: 4, wrong: 1 })
  })

  it('are those of its own sections', () => {
    const all = [section('greeter', words), section('http', {}, 'http-core')]
    expect(sectionsOfPlugin(all, 'greeter').map(({ key }) => key)).to.deep.equal(['greeter'])
  })
})
