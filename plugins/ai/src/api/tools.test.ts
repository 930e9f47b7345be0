import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { defineTool } from './tools.js'

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
})
