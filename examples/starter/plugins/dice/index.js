// A tool of a plugin: contributed once, offered to every model that can call tools.
import { definePlugin } from 'mynah'
import { defineTool, tools } from 'mynah/ai'

export default definePlugin({
  name: 'dice',
  setup(ctx) {
    ctx.contribute(
      tools,
      defineTool({
        name: 'dice',
        description: 'Rolls a die',
        keywords: ['roll', 'die', 'random'],
        effect: 'read',
        parameters: {
          type: 'object',
          properties: { sides: { type: 'integer', minimum: 2, maximum: 1000 } },
          required: ['sides'],
          additionalProperties: false,
        },
        run: ({ sides }) => `${1 + Math.floor(Math.random() * sides)}`,
      }),
    )
  },
})
