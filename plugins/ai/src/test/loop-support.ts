// Running the agent loop on a script, in a test.
import type { LoopEnd, LoopEvent, LoopOptions } from '../api/loop.js'
import type { ModelMessage } from '../api/messages.js'
import type { Tool } from '../api/tools.js'
import { defineTool } from '../api/tools.js'
import { agentLoop } from '../api.js'
import { scriptedModels, type ScriptedModels } from '../testing/scripted-models.js'

export type Script = Parameters<typeof scriptedModels>[0]
export const said = (text: string): ModelMessage[] => [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: text },
]

/** A run of the loop: its events, its end, and the models that it asked. */
export interface Run {
  readonly events: LoopEvent[]
  readonly end: LoopEnd
  readonly models: ScriptedModels
}

/** Returns the loop over a script, event by event. */
export function loopOver(
  script: Script,
  options: Partial<LoopOptions> = {},
): { models: ScriptedModels; loop: AsyncGenerator<LoopEvent, void> } {
  const models = scriptedModels(script)
  const loop = agentLoop({
    stream: (request, streamOptions) => models.stream(request, { ...streamOptions, candidates: [] }),
    messages: said('go'),
    ...options,
  })
  return { models, loop }
}

/** Returns the loop over a script, to its end. */
export async function run(
  script: Script,
  options: Partial<LoopOptions> = {},
  onEvent?: (event: LoopEvent) => unknown,
): Promise<Run> {
  const { models, loop } = loopOver(script, options)
  const events: LoopEvent[] = []
  for await (const event of loop) {
    events.push(event)
    await onEvent?.(event)
  }
  const end = events.at(-1)
  if (end?.type !== 'end') throw new Error('the loop has no end')
  return { events, end, models }
}

/** Results by name of the tool, in the order in which they came. */
export const results = ({ events }: Pick<Run, 'events'>): [string, unknown, boolean][] =>
  events
    .filter((event) => event.type === 'tool-end')
    .map(({ call, result }) => [call.name, result.output, result.isError === true])

/** A tool that gives its input back. */
export const echo: Tool = defineTool({
  name: 'echo',
  description: 'Gives back',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
  effect: 'read',
  run: ({ text }) => String(text),
})

export const call = (name: string, input: unknown, id?: string) => ({
  name,
  input,
  ...(id === undefined ? {} : { id }),
})

/** Returns a promise and its resolver. */
export function gate<T = void>(): { readonly promise: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => (open = resolve))
  return { promise, open }
}
