import { expect } from 'chai'
import fc from 'fast-check'
import { defineTool, tools } from '../api/tools.js'
import { checkOf } from './schemas.js'
import { parseArguments } from './arguments.js'

const check = async (schema: object, input: unknown) => (await checkOf(schema))(input)

describe('compileSchema', () => {
  it('compiles a schema once', async () => {
    const schema = { type: 'object' }
    const first = checkOf(schema)
    expect(first).to.be.instanceOf(Promise)
    await first
    expect(checkOf(schema)).to.be.a('function')
  })

  it('accepts any dialect, and different schemas of one $id', async () => {
    const named = (type: string) => ({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.com/same',
      type: 'object',
      properties: { a: { type } },
    })
    expect(await check(named('string'), { a: 1 })).to.equal('a must be string')
    expect(await check(named('number'), { a: 1 })).to.equal(undefined)
    expect(
      await check(
        { type: 'object', unknownKeyword: 5, properties: { a: { type: 'string', format: 'no-such' } } },
        { a: 'x' },
      ),
    ).to.equal(undefined)
  })

  it('resolves references within the schema, and none outside', async () => {
    const tree = {
      type: 'object',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: { type: 'number' } } } },
      properties: { root: { $ref: '#/$defs/node' } },
    }
    expect(await check(tree, { root: { next: { next: { value: 'x' } } } })).to.equal(
      'root.next.next.value must be number',
    )
    expect(
      await check({ type: 'object', properties: { a: { $ref: 'https://example.com/other.json' } } }, { a: 1 }),
    ).to.contain('cannot be used')
    expect(await check({ $ref: '#' }, {})).to.contain('cannot be used')
  })

  it('checks hostile schemas in limited time', async () => {
    expect(await check({ $async: true, type: 'object', properties: { a: { type: 'string' } } }, { a: 1 })).to.equal(
      'a must be string',
    )
    expect(
      await check(
        { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
        { a: `${'a'.repeat(50_000)}!` },
      ),
    ).to.contain('must match pattern')
    const doubled = (reference: (index: number) => object, named: (index: number) => object = () => ({})) => ({
      type: 'object',
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `d${index}`,
          {
            ...named(index),
            ...(index === 39 ? { type: 'object' } : { allOf: [reference(index + 1), reference(index + 1)] }),
          },
        ]),
      ),
      allOf: [reference(0)],
    })
    for (const [what, schema] of [
      ['pointers', doubled((index) => ({ $ref: `#/$defs/d${index}` }))],
      ['pointers spelled otherwise', doubled((index) => ({ $ref: `#/%24defs/d${index}` }))],
      [
        'anchors',
        doubled(
          (index) => ({ $ref: `#a${index}` }),
          (index) => ({ $anchor: `a${index}` }),
        ),
      ],
    ] as const)
      expect(await check(schema, {}), what).to.contain('takes too long')
    let deep: object = {}
    for (let index = 0; index < 60; index++) deep = { a: deep }
    const twice = { properties: { a: { $ref: '#/$defs/twice' } } }
    expect(
      await check({ type: 'object', $defs: { twice: { allOf: [twice, twice] } }, $ref: '#/$defs/twice' }, deep),
    ).to.contain('takes too long')
    const many = { a: Array.from({ length: 100_000 }, (_, index) => [index]) }
    expect(await check({ type: 'object', properties: { a: { type: 'array', uniqueItems: true } } }, many)).to.equal(
      undefined,
    )
    expect(
      await check(
        { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } },
        { a: [...many.a, { x: 1, y: 2 }, { y: 2, x: 1 }] },
      ),
    ).to.equal('a must NOT have duplicate items')
    expect(
      await check(
        { type: 'object', properties: { a: { items: { enum: Array.from({ length: 20_000 }, (_, index) => index) } } } },
        { a: Array(500_000).fill(19_999) },
      ),
    ).to.contain('takes too long')
    expect(
      await check(
        {
          type: 'object',
          properties: {
            a: { allOf: Array.from({ length: 200 }, (_, index) => ({ pattern: `(a?){500}a{500}|${index}` })) },
          },
        },
        { a: 'a'.repeat(500_000) },
      ),
    ).to.contain('takes too long')
  })

  it('refuses schemas beyond a size and a depth', async () => {
    let deep: object = { type: 'string' }
    for (let index = 0; index < 5_000; index++) deep = { type: 'object', properties: { a: deep } }
    expect(await check(deep, {})).to.contain('nested deeper')
    expect(await check({ type: 'object', description: 'x'.repeat(10_000_000) }, {})).to.contain('characters long')
    expect(await check({ type: 'nonsense' }, {})).to.contain('cannot be used')
  })

  it('checks patterns that run in linear time, and leaves others to the tool', async () => {
    expect(
      await check({ type: 'object', properties: { a: { pattern: '^b' }, c: { pattern: '^d' } } }, { a: 'b', c: 'x' }),
    ).to.contain('c must match')
    expect(await check({ type: 'object', properties: { a: { pattern: '(?<=x)y' } } }, { a: 'nothing of it' })).to.equal(
      undefined,
    )
  })
})

describe('patterns', () => {
  const parameters = (...patterns: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(patterns.map((pattern, index) => [`p${index}`, { type: 'string', pattern }])),
  })

  it('are left to the tool where compiling them takes long', async () => {
    const vast = '(a?){1000}'.repeat(50)
    expect(await check(parameters('^b', vast), { p0: 'b', p1: 'x' })).to.equal(undefined)
    expect(await check(parameters('^b', vast, '[a-z]'.repeat(20_000)), { p0: 'x' })).to.contain('p0 must match')
    const many = Array.from({ length: 990 }, (_, index) => `^(a{50}){19}${index}`)
    expect(await check(parameters('^b', ...many), { p990: 'x' })).to.equal(undefined)
    expect(await check(parameters('^[a-z0-9-]{1,100}$'), { p0: 'A' })).to.contain('p0 must match')
  })
})

describe('arguments', () => {
  it('are an object or a reason, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { input, invalid } = parseArguments(text)
        if (invalid === undefined) expect(input).to.be.an('object')
        else expect(input).to.be.a('string').with.length.at.most(500)
      }),
    )
    expect(parseArguments('['.repeat(1_000_000)).invalid).to.contain('JSON')
    expect(parseArguments('  ')).to.deep.equal({ input: {} })
    expect(Object.hasOwn(parseArguments('{"__proto__": {"x": 1}}').input as object, '__proto__')).to.equal(true)
  })
})

describe('defineTool', () => {
  const good = { name: 'good', description: 'Does', parameters: { type: 'object' }, run: () => 'x' } as const

  it('names the mistakes of a tool', () => {
    const wrong = (more: object) => () => defineTool({ ...good, ...more } as never)
    expect(wrong({ name: 'two words' })).to.throw('the name "two words"')
    expect(wrong({ name: 'x'.repeat(65) })).to.throw('the name')
    expect(wrong({ description: '' })).to.throw('description')
    expect(wrong({ parameters: { type: 'string' } })).to.throw('JSON Schema of an object')
    expect(wrong({ run: 5 })).to.throw('run must be a function')
    expect(wrong({ preExec: () => ({}) })).to.throw("effect: 'read'")
    expect(wrong({ preExec: () => ({}), effect: 'read', requiredAnyRole: ['master'] })).to.throw('no requiredAnyRole')
  })

  it('returns a contribution to the point tools', () => {
    const tool = defineTool(good)
    expect(tools.key(tool)).to.equal('good')
    expect(tools.describe(tool)).to.deep.equal({ name: 'good', description: 'Does' })
    expect(Object.isFrozen(tool)).to.equal(true)
  })
})
