// The wire contract of the greeter. It types the handlers, the OpenAPI document and the client of the page.
import { contract, Type } from 'mynah'

const Name = Type.String({ minLength: 1, maxLength: 64, examples: ['Ada'] })
const Greeted = Type.Object({ name: Name, times: Type.Integer() })

export const greeter = contract({
  rest: {
    'GET /greeter': { summary: 'The names that were greeted, and how often', data: Type.Array(Greeted) },
  },
  rpc: {
    'greeter:greet': {
      summary: 'Greets someone',
      params: Type.Object({ name: Name }),
      data: Type.Object({ text: Type.String(), times: Type.Integer() }),
    },
  },
})
