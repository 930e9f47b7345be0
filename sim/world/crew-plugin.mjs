// The plugin of the test itself: the adapters of the platforms, and commands that
// note how often they ran.
import { definePlugin } from '@mynah/kernel'
import { adapters, commands, defineCommand, param } from '@mynah/plugin-chat/api'

/** @param world its `ledger` notes what was done */
export const crewPlugin = (world) =>
  definePlugin({
    name: 'crew',
    setup(ctx) {
      for (const platform of world.platforms) ctx.contribute(adapters, platform.adapter())
      const command = (name, run) =>
        ctx.contribute(
          commands,
          defineCommand({
            name,
            description: name,
            args: { id: param.rest() },
            run: ({ args, message }) => run(args.id, message),
          }),
        )
      command('echo', (id) => {
        world.ledger.ran(id)
        return `echo ${id}`
      })
      // Works for a while, so that a kill finds it at work.
      command('work', async (id) => {
        world.ledger.ran(id)
        await new Promise((resolve) => void ctx.clock.setTimeout(resolve, 400))
        return `echo ${id}`
      })
      // Says nothing.
      command('note', (id) => {
        world.ledger.ran(id)
      })
    },
  })
