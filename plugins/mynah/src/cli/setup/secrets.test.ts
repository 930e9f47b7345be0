import { expect } from 'chai'
import type { Field } from './fields.js'
import { withVariables } from './secrets.js'

const field = (name: string, secret: boolean): Field => ({ name, secret, about: '', required: false, schema: {} })
const FIELDS = [field('apiKey', true), field('host', false)]

describe('withVariables', () => {
  it('replaces secrets by variables, and returns their lines', () => {
    expect(withVariables({ apiKey: 'k 1', host: 'h' }, FIELDS, 'my-shop', '')).to.deep.equal({
      item: { apiKey: '${MY_SHOP_API_KEY}', host: 'h' },
      lines: 'MY_SHOP_API_KEY="k 1"\n',
    })
  })

  it('takes another name where the variable has another value, and the same for the same value', () => {
    const env = 'X_API_KEY=old\nX_API_KEY_2="older"\n'
    expect(withVariables({ apiKey: 'new' }, FIELDS, 'x', env)).to.deep.equal({
      item: { apiKey: '${X_API_KEY_3}' },
      lines: 'X_API_KEY_3=new\n',
    })
    expect(withVariables({ apiKey: 'older' }, FIELDS, 'x', env)).to.deep.equal({
      item: { apiKey: '${X_API_KEY_2}' },
      lines: '',
    })
  })

  it('keeps references, and escapes quotes', () => {
    expect(withVariables({ apiKey: '${MINE}' }, FIELDS, 'x', '').item).to.deep.equal({ apiKey: '${MINE}' })
    expect(withVariables({ apiKey: 'a"b\\c#d' }, FIELDS, 'x', '').lines).to.equal('X_API_KEY="a\\"b\\\\c#d"\n')
  })
})
