// The management interface on an ephemeral port: `GET /api/stats` with bearer, CORS and 60 routes. Uses IPC.
import { createHost, definePlugin } from '@mynah/kernel'
import httpCore from '@mynah/plugin-http-core'
import { Http, route, routes } from '@mynah/plugin-http-core/api'
import consoleRpc from '@mynah/plugin-console-rpc'
import management from '@mynah/plugin-management'
import { Type } from '@mynah/contract/type'

const Anything = Type.Object({})
const more = definePlugin({
  name: 'more-routes',
  setup(ctx) {
    for (let index = 0; index < 30; index++)
      ctx.contribute(
        routes,
        route(
          {
            [`GET /things${index}/:name`]: {
              summary: 'x',
              params: Type.Object({ name: Type.String() }),
              data: Anything,
            },
          },
          `GET /things${index}/:name`,
          () => ({}),
        ),
      )
    for (let index = 0; index < 22; index++)
      ctx.contribute(
        routes,
        route({ [`GET /other${index}`]: { summary: 'x', data: Anything } }, `GET /other${index}`, () => ({})),
      )
  },
})
const host = await createHost([
  {
    plugin: httpCore,
    config: { port: 0, token: '0123456789abcdef0123456789abcdef', corsOrigins: ['http://console.test'] },
  },
  { plugin: consoleRpc },
  { plugin: more },
  { plugin: management },
]).start()
process.send({ url: `${host.get(Http).origin}/api/stats` })
process.on('message', () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss }))
process.on('disconnect', () => process.exit(0))
