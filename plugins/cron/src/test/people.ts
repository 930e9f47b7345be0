import { tools, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { eachTest, type Options, type Rig } from './support.js'

/** A host with chat whose tools are called as the agent would call them. */
export interface ToolTests {
  start(options?: Options): Promise<Rig>
  find(name: string): Tool
  /**
   * Calls a tool for a user of the chat. Errors start with `!`.
   *
   * @param agent the agent that the conversation belongs to
   */
  use(
    rig: Rig,
    name: string,
    input: Record<string, unknown>,
    user?: string,
    session?: string,
    agent?: string,
  ): Promise<string>
}

const origin = (user: string) => ({
  adapter: 'test',
  endpoint: 'one',
  channel: { type: 'private' as const, id: user },
  user,
})

/** Starts hosts with chat that are stopped after each test. */
export function toolTests(): ToolTests {
  const tests = eachTest()
  let find: (name: string) => Tool
  const start = (options: Options = {}) =>
    tests.start({
      chat: true,
      ...options,
      setup(ctx) {
        const reader = ctx.read(tools)
        find = (name) => reader.get(name)?.value as Tool
        options.setup?.(ctx)
      },
    })
  const use: ToolTests['use'] = async (rig, name, input, user = 'owner', session = 's', agent) => {
    const call = {
      roles: rig.chat.rolesOf('test', 'one', user),
      origin: { ...origin(user), ...(agent === undefined ? {} : { agent }) },
      session,
      turn: 't',
      id: 'c',
    } as unknown as ToolCall
    const output = (await find(name).run(input as never, call)) as { content?: readonly { text: string }[] } | string
    if (typeof output === 'string') return output
    return output.content ? `! ${output.content[0]?.text}` : JSON.stringify(output)
  }
  return { start, find: (name) => find(name), use }
}
