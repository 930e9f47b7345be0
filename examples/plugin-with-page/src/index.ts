// The plugin: the same greeting as a command, an RPC method and a page, and a list of the greeted over REST.
import {
  commands,
  consoleEntries,
  defineCommand,
  definePlugin,
  method,
  param,
  route,
  routes,
  rpcMethods,
  Type,
} from 'mynah'
import { greeter } from './contract.js'
import { Greetings } from './greetings.js'

export default definePlugin({
  name: 'greeter',
  description: 'Greets people in chat, over HTTP and from a page of the console',
  version: '0.1.0',
  config: {
    key: 'greeter',
    schema: Type.Object(
      {
        greeting: Type.String({
          default: 'Hello',
          minLength: 1,
          maxLength: 64,
          description: 'Text before the name',
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  setup(ctx) {
    // Kept, so that a restart of the plugin forgets no greeting.
    const greetings = ctx.keep('greetings', () => new Greetings())
    let { greeting } = ctx.config

    ctx.contribute(
      commands,
      defineCommand({
        name: 'greet',
        description: { en: 'Greets someone', 'zh-CN': '问候某人' },
        args: { name: param.rest({ default: '' }) },
        examples: ['greet Ada'],
        run: ({ args, message }) =>
          greetings.greet(greeting, (args.name || message.sender.name || message.sender.id).slice(0, 64)).text,
      }),
    )
    ctx.contribute(
      routes,
      route(greeter.rest, 'GET /greeter', () => greetings.list()),
    )
    ctx.contribute(
      rpcMethods,
      method(greeter.rpc, 'greeter:greet', ({ name }) => greetings.greet(greeting, name)),
    )
    ctx.contribute(consoleEntries, {
      id: 'greeter',
      name: 'Greeter',
      module: new URL('../client/dist/index.js', import.meta.url),
    })

    return {
      // A changed greeting needs no restart.
      update(next) {
        greeting = next.greeting
        return true
      },
    }
  },
})
