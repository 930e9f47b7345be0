import { expect } from 'chai'
import fc from 'fast-check'
import { defineTool, tools } from '../api/tools.js'
import { checkOf } from '../loop/schemas.js'
import { parseArguments } from '../loop/arguments.js'

const check = async (schema: object, input: unknown) => (await checkOf(schema))(input)

describe('schemas of tools', () => {
  it('are compiled once', async () => {
    const schema = { type: 'object' }
    const first = checkOf(schema)
    expect(first).to.be.instanceOf(Promise)
    await first
    expect(checkOf(schema)).to.be.a('function')
  })

  it('may be of any dialect and name themselves alike', async () => {
    const named = (type: string) => ({ $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://example.com/same', type: 'object', properties: { a: { type } } })
    expect(await check(named('string'), { a: 1 })).to.equal('a must be string')
    expect(await check(named('number'), { a: 1 })).to.equal(undefined)
    expect(await check({ type: 'object', unknownKeyword: 5, properties: { a: { type: 'string', format: 'no-such' } } }, { a: 'x' })).to.equal(undefined)
  })

  it('may refer to themselves, and to nothing outside', async () => {
    const tree = { type: 'object', $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: { type: 'number' } } } }, properties: { root: { $ref: '#/$defs/node' } } }
    expect(await check(tree, { root: { next: { next: { value: 'x' } } } })).to.equal('root.next.next.value must be number')
    expect(await check({ type: 'object', properties: { a: { $ref: 'https://example.com/other.json' } } }, { a: 1 })).to.contain('cannot be used')
    expect(await check({ $ref: '#' }, {})).to.contain('cannot be used')
  })

  it('cannot say yes to everything, nor run for ever', async () => {
    expect(await check({ $async: true, type: 'object', properties: { a: { type: 'string' } } }, { a: 1 })).to.equal('a must be string')
    const began = performance.now()
    expect(await check({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50_000)}!` })).to.contain('must match pattern')
    const doubled = { type: 'object', $defs: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}`, index === 39 ? { type: 'object' } : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] }])), allOf: [{ $ref: '#/$defs/d0' }] }
    expect(await check(doubled, {})).to.contain('repeat each other')
    expect(performance.now() - began).to.be.lessThan(5_000)
  })

  it('of any size and depth are refused, not swallowed', async () => {
    let deep: object = { type: 'string' }
    for (let index = 0; index < 5_000; index++) deep = { type: 'object', properties: { a: deep } }
    expect(await check(deep, {})).to.contain('nested deeper')
    expect(await check({ type: 'object', description: 'x'.repeat(10_000_000) }, {})).to.contain('characters long')
    expect(await check({ type: 'nonsense' }, {})).to.contain('cannot be used')
  })

  it('use a pattern that runs in linear time, and leave the others to the tool', async () => {
    expect(await check({ type: 'object', properties: { a: { pattern: '^b' }, c: { pattern: '^d' } } }, { a: 'b', c: 'x' })).to.contain('c must match')
    expect(await check({ type: 'object', properties: { a: { pattern: '(?<=x)y' } } }, { a: 'nothing of it' })).to.equal(undefined)
  })
})

describe('arguments', () => {
  it('are an object or a reason, whatever text comes', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { input, invalid } = parseArguments(text)
      if (invalid === undefined) expect(input).to.be.an('object')
      else expect(input).to.be.a('string').with.length.at.most(500)
    }))
    expect(parseArguments('['.repeat(1_000_000)).invalid).to.contain('JSON')
    expect(parseArguments('  ')).to.deep.equal({ input: {} })
    expect(Object.hasOwn(parseArguments('{"__proto__": {"x": 1}}').input as object, '__proto__')).to.equal(true)
  })
})

describe('defineTool', () => {
  const good = { name: 'good', description: 'Does', parameters: { type: 'object' }, run: () => 'x' } as const

  it('says what is wrong with a tool', () => {
    const wrong = (more: object) => () => defineTool({ ...good, ...more } as never)
    expect(wrong({ name: 'two words' })).to.throw('the name "two words"')
    expect(wrong({ name: 'x'.repeat(65) })).to.throw('the name')
    expect(wrong({ description: '' })).to.throw('description')
    expect(wrong({ parameters: { type: 'string' } })).to.throw('JSON Schema of an object')
    expect(wrong({ run: 5 })).to.throw('run must be a function')
    expect(wrong({ preExec: () => ({}) })).to.throw("effect: 'read'")
    expect(wrong({ preExec: () => ({}), effect: 'read', requiredAnyRole: ['master'] })).to.throw('no requiredAnyRole')
  })

  it('gives a contribution of the point tools', () => {
    const tool = defineTool(good)
    expect(tools.key(tool)).to.equal('good')
    expect(tools.describe(tool)).to.deep.equal({ name: 'good', description: 'Does' })
    expect(Object.isFrozen(tool)).to.equal(true)
  })
})
