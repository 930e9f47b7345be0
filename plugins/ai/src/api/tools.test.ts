import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool, tools } from './tools.js'

describe('defineTool', () => {
  it('has the type of its schema', () => {
    defineTool({
      name: 'typed',
      description: 'Typed',
      parameters: Type.Object({ sides: Type.Integer(), label: Type.Optional(Type.String()) }),
      run: ({ sides, label }) => sides.toFixed(0) + (label?.length ?? 0),
    })
    defineTool({
      name: 'typed',
      description: 'Typed',
      parameters: Type.Object({ sides: Type.Integer() }),
      // @ts-expect-error: there is no such field
      run: ({ corners }) => corners,
    })
    defineTool({
      name: 'typed',
      description: 'Typed',
      parameters: Type.Object({ sides: Type.Integer() }),
      // @ts-expect-error: it is a number
      run: ({ sides }) => sides.toUpperCase(),
    })
    const plain = defineTool({
      name: 'plain',
      description: 'Plain',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: ({ city }) => city.length,
    })
    expect(plain.name).to.equal('plain')
  })

  it('reads the schema as those of servers and files', () => {
    const odd = { type: 'OBJECT', properties: { a: { type: 'str', nullable: true } }, required: null }
    const { parameters } = defineTool({ name: 'odd', description: 'Odd', parameters: odd, run: () => '' })
    expect(parameters).to.deep.equal({ type: 'object', properties: { a: { type: ['string', 'null'] } } })
  })

  it('refuses a schema that no input fits, also of a tool that it has not made', () => {
    const tool = {
      name: 'broken',
      description: 'Broken',
      parameters: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
      run: () => '',
    }
    const reason =
      'the parameters of the tool broken cannot be used: properties.a.$ref is "#/nowhere", which is not in the schema'
    expect(() => defineTool(tool)).to.throw(reason)
    expect(() => tools.key(tool)).to.throw(reason)
  })
})
