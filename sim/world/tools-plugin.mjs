// Tools with effects outside of the host: `strike` must happen once, `look` may happen again.
import { definePlugin } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'
import { defineTool, tools } from '@mynah/plugin-ai/api'

/** The world of the history that runs: the schema of a tool is compiled once for all of them. */
let current

function toolOf(name, effect) {
  return defineTool({
    name,
    description: name,
    effect,
    permanent: true,
    parameters: Type.Object({ id: Type.String() }),
    run({ id }, { turn }) {
      current.ledger.worksFor(turn)
      return use(current, name, effect, id)
    },
  })
}

const TOOLS = [toolOf('strike', 'once'), toolOf('look', 'read')]

/** Uses a tool: its effect may happen although its answer is lost. */
export function use(world, name, effect, id) {
  const { delay, fault } = world.boundaries.decide('tool')
  const { life } = world.scheduler
  return new Promise((resolve, reject) => {
    const answer = (settle) => world.scheduler.add(`${name} answers`, delay / 2, settle, life, true)
    const perform = () => {
      if (fault === 'refuse') return answer(() => reject(new Error('the tool failed')))
      if (effect === 'once') world.ledger.effect(`${name} ${id}`)
      if (fault === 'crash') world.crashSoon(`after ${name}`)
      answer(() => resolve(`${name} of ${id} is done`))
    }
    world.scheduler.add(`${name} runs`, delay / 2, perform, 0)
  })
}

export const toolsPlugin = (world) =>
  definePlugin({
    name: 'sim-tools',
    setup(ctx) {
      current = world
      for (const tool of TOOLS) ctx.contribute(tools, tool)
    },
  })
