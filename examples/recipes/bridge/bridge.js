// Joins channels: what is said in one is said in the others, with the name of who said it.
import { Chat, definePlugin, middlewares, Type } from 'mynah'

const Place = Type.Object(
  {
    adapter: Type.String({ minLength: 1 }),
    endpoint: Type.String({ minLength: 1 }),
    id: Type.String({ minLength: 1, description: 'Id of the channel on its platform' }),
  },
  { additionalProperties: false },
)

export default definePlugin({
  name: 'bridge',
  config: {
    key: 'bridge',
    schema: Type.Object(
      { places: Type.Array(Place, { minItems: 2, description: 'Groups that are joined' }) },
      { additionalProperties: false },
    ),
  },
  needs: { chat: Chat },
  setup(ctx) {
    const { places } = ctx.config

    ctx.contribute(middlewares, {
      name: 'bridge',
      async handle(message, next) {
        const { adapter, endpoint, channel, sender, segments } = message
        const isHere = (place) => place.adapter === adapter && place.endpoint === endpoint && place.id === channel.id
        const isJoined = channel.type === 'group' && places.some(isHere)
        if (!isJoined) return next()
        const said = [{ type: 'text', data: { text: `<${sender.name ?? sender.id}> ` } }, ...segments]
        // One place that is offline keeps nothing from the others.
        const sent = places
          .filter((place) => !isHere(place))
          .map((place) => ctx.chat.send(place.adapter, place.endpoint, { type: 'group', id: place.id }, said))
        for (const { reason } of await Promise.allSettled(sent))
          if (reason) ctx.log.warn(`failed to pass a message on: ${reason.message}`)
        return next()
      },
    })
  },
})
