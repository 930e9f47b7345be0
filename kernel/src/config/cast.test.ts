import { expect } from 'chai'
import fc from 'fast-check'
import { Type } from 'typebox'
import { castTouched } from './cast.js'

const value = (schema: object, text: unknown): unknown => castTouched(text, schema, 's', new Set(['s']))

describe('castTouched', () => {
  for (const [schema, text, expected] of [
    ['integer', '8086', 8086],
    ['integer', '-1', -1],
    ['integer', '+1', 1],
    ['integer', '1e3', 1000],
    ['integer', '1.5', 1.5],
    ['integer', '08', 8],
    ['number', '.5', 0.5],
    ['number', '5.', 5],
    ['number', '1E-2', 0.01],
    ['number', '0x10', '0x10'],
    ['number', ' 1', ' 1'],
    ['number', '1 ', '1 '],
    ['number', '', ''],
    ['number', 'NaN', 'NaN'],
    ['number', 'Infinity', 'Infinity'],
    ['number', '1_000', '1_000'],
    ['number', '.', '.'],
    ['number', '1n', '1n'],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'TRUE', 'TRUE'],
    ['boolean', 'yes', 'yes'],
    ['boolean', '1', '1'],
    ['boolean', '0', '0'],
    ['boolean', '', ''],
    ['string', '1', '1'],
    ['string', 'true', 'true'],
    ['null', 'null', 'null'],
    ['object', '{}', '{}'],
    ['array', '[]', '[]'],
  ] as const) {
    it(`casts "${text}" to ${JSON.stringify(expected)} for ${schema}`, () =>
      expect(value({ type: schema }, text)).to.equal(expected))
  }

  it('prefers text among several types', () => {
    expect(value({ type: ['integer', 'null'] }, '1')).to.equal(1)
    expect(value({ type: ['integer', 'string'] }, '1')).to.equal('1')
    expect(value(Type.Union([Type.Integer(), Type.Boolean()]), '1')).to.equal(1)
    expect(value(Type.Union([Type.Integer(), Type.Boolean()]), 'true')).to.equal(true)
    expect(value({ oneOf: [{ type: 'integer' }, { anyOf: [{ type: 'boolean' }] }] }, 'false')).to.equal(false)
    expect(value(Type.Union([Type.Literal('1'), Type.Literal(1)]), '1')).to.equal('1')
    expect(value(Type.Literal(1), '1')).to.equal(1)
    expect(value({}, '1')).to.equal('1')
  })

  it('casts in lists, records and objects at any depth', () => {
    const schema = Type.Object({
      list: Type.Array(Type.Object({ port: Type.Integer() })),
      map: Type.Record(Type.String(), Type.Integer()),
      open: Type.Object({}, { additionalProperties: Type.Boolean() }),
    })
    const section = { list: [{ port: '1' }, { port: '2' }], map: { a: '1', b: 2 }, open: { x: 'true' }, none: '1' }
    const touched = new Set(['s.list[1].port', 's.map.a', 's.open.x', 's.none'])
    expect(castTouched(section, schema, 's', touched)).to.deep.equal({
      list: [{ port: '1' }, { port: 2 }],
      map: { a: 1, b: 2 },
      open: { x: true },
      none: '1',
    })
    expect(section.map.a, 'the section itself stays').to.equal('1')
  })

  it('casts by the pattern of a key', () => {
    const schema = {
      type: 'object',
      properties: { n_text: { type: 'string' } },
      patternProperties: { '^n_': { type: 'integer' }, '^b_': { type: 'boolean' } },
      additionalProperties: { type: 'number' },
    }
    expect(
      castTouched(
        { n_a: '1', b_a: 'true', n_text: '1', other: '1.5' },
        schema,
        's',
        new Set(['s.n_a', 's.b_a', 's.n_text', 's.other']),
      ),
    ).to.deep.equal({ n_a: 1, b_a: true, n_text: '1', other: 1.5 })
  })

  it('ignores inherited properties of schemas', () => {
    expect(
      castTouched(
        { constructor: '1', toString: 'true' },
        { type: 'object', properties: {} },
        's',
        new Set(['s.constructor', 's.toString']),
      ),
    ).to.deep.equal({ constructor: '1', toString: 'true' })
  })

  it('keeps text where a schema asks for another shape, for the check to refuse', () => {
    for (const schema of [
      { type: 'array', items: true },
      { type: 'object', additionalProperties: true },
    ])
      expect(value(schema, '1')).to.equal('1')
    expect(castTouched(['1'], { type: 'array', items: true }, 's', new Set(['s[0]']))).to.deep.equal(['1'])
    expect(
      castTouched({ a: '1' }, { type: 'object', additionalProperties: true }, 's', new Set(['s.a'])),
    ).to.deep.equal({ a: '1' })
  })
})

describe('castTouched of literal text', () => {
  it('never casts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('integer', 'number', 'boolean', 'string'),
        fc.constantFrom('1', 'true', 'x', '1.5'),
        (type, text) => {
          expect(castTouched(text, { type }, 's', new Set())).to.equal(text)
          expect(
            castTouched(
              { a: text, b: '1' },
              { type: 'object', properties: { a: { type }, b: { type: 'integer' } } },
              's',
              new Set(['s.b']),
            ),
          ).to.deep.equal({ a: text, b: 1 })
        },
      ),
    )
  })

  it('returns the number of a variable', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        expect(value({ type: 'number' }, String(n))).to.equal(Object.is(n, -0) ? 0 : n)
      }),
    )
  })
})
