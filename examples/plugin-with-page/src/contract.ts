// What the greeter says over the wire; handlers, the OpenAPI document and the page's client are typed by it.
import { contract, Type } from 'mynah'

const Name = Type.String({ minLength: 1, maxLength: 64, examples: ['Ada'] })
const Greeted = Type.Object({ name: Name, times: Type.Integer() })

export const greeter = contract({
  rest: {
    'GET /greeter': { summary: 'Who was greeted, and how often', data: Type.Array(Greeted) },
  },
  rpc: {
    'greeter:greet': {
      summary: 'Greets someone',
      params: Type.Object({ name: Name }),
      data: Type.Object({ text: Type.String(), times: Type.Integer() }),
    },
  },
})
