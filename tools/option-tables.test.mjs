// Tests the tables of options.
import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { tableOf } from './option-tables.mjs'

describe('tables of options', () => {
  it('have a row for each key, also of objects and lists inside', () => {
    const schema = Type.Object(
      {
        mode: Type.Enum(['a', 'b'], { default: 'a', description: 'One | other' }),
        key: Type.String({ secret: true, description: 'A key' }),
        people: Type.Array(Type.Object({ age: Type.Optional(Type.Integer({ minimum: 1, description: 'Years' })) }), {
          default: [],
          description: 'Who',
        }),
      },
      { description: 'A section' },
    )
    expect(tableOf([{ path: 'x', schema }])).to.deep.equal({
      missing: [],
      table: [
        '| option | type | default | description |',
        '|---|---|---|---|',
        '| `x.mode` | `a` \\| `b` | `a` | One \\| other |',
        '| `x.key` | string, secret | required | A key |',
        '| `x.people` | list | `[]` | Who |',
        '| `x.people[].age` | integer, at least 1 | | Years |',
      ].join('\n'),
    })
    expect(tableOf([{ path: '', schema }]).table).to.contain('| `people[].age` |')
  })

  it('have the options of freely named entries below their map', () => {
    const schema = Type.Object({
      who: Type.Record(Type.String(), Type.Object({ age: Type.Integer({ description: 'Years' }) }), {
        description: 'By name',
      }),
      words: Type.Record(Type.String(), Type.String(), { description: 'Any' }),
    })
    expect(
      tableOf([{ path: 'x', schema }])
        .table.split('\n')
        .slice(2),
    ).to.deep.equal([
      '| `x.who` | object | | By name |',
      '| `x.who.<name>.age` | integer | required | Years |',
      '| `x.words` | object | | Any |',
    ])
  })

  it('name the keys without a description', () => {
    expect(
      tableOf([
        { path: 'x', schema: Type.Object({ a: Type.String() }) },
        { path: 'y.z', schema: Type.Boolean() },
      ]).missing,
    ).to.deep.equal(['x.a', 'y.z'])
  })
})
