// `mynah setup`: from a new host to a bot that answers on a platform with a model. `mynah endpoint add`: one account.
import { dirname, join, resolve } from 'node:path'
import { describeProblem, readValues } from '@mynah/kernel/loader'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { ask } from '../control.js'
import { apiOf } from '../reachability.js'
import { UserError } from '../user-error.js'
import { borrowHost } from '../setup/borrowed-host.js'
import { HostClient } from '../setup/host-client.js'
import { addModel, addPlatform, sayHello, type StepContext } from '../setup/steps.js'
import { progress, show, Prompt } from '../setup/terminal.js'

const USAGE = 'mynah setup platform irc host=irc.example nick=bot, or mynah setup model openai apiKey=…'

const ADD_ENDPOINT = 'mynah endpoint add'

/** The words after the command: the step, its choice, and options. */
interface Order {
  readonly step: 'platform' | 'model' | undefined
  readonly choice: string | undefined
  readonly given: ReadonlyMap<string, string>
  /** How the command is written up to the name of a platform. */
  readonly addCommand: string
}

export async function setup(args: Arguments): Promise<number> {
  const order = orderOf(args.rest)
  return withPrompt(args, order, order.step === undefined ? USAGE : undefined)
}

/** Adds an account on a platform, which is tested before it is saved. */
export async function addEndpoint(args: Arguments): Promise<number> {
  const usage = `${ADD_ENDPOINT} irc host=irc.example nick=bot`
  const [first, ...more] = args.rest
  const choice = first?.includes('=') === false ? first : undefined
  if (first !== undefined && choice === undefined)
    throw new UserError('which platform?', { exitCode: EXIT.usage, remedy: usage })
  const order = { step: 'platform', choice, given: optionsOf(more, usage), addCommand: ADD_ENDPOINT } as const
  return withPrompt(args, order, choice === undefined ? usage : undefined)
}

/** @param usage where something must be asked: how the command is written where nothing can be */
async function withPrompt({ config }: Arguments, order: Order, usage: string | undefined): Promise<number> {
  const prompt = Prompt.open()
  if (usage !== undefined && !prompt)
    throw new UserError('this is no terminal, so that nothing can be asked', { exitCode: EXIT.usage, remedy: usage })
  try {
    return await run(resolve(config), config, order, prompt)
  } finally {
    prompt?.close()
  }
}

function orderOf(words: readonly string[]): Order {
  const [step, choice, ...options] = words
  const addCommand = 'mynah setup platform'
  if (step === undefined) return { step, choice: undefined, given: new Map(), addCommand }
  if (step !== 'platform' && step !== 'model')
    throw new UserError(`"${step}" is neither platform nor model`, { exitCode: EXIT.usage, remedy: USAGE })
  if (choice === undefined || choice.includes('='))
    throw new UserError(`which ${step}?`, { exitCode: EXIT.usage, remedy: USAGE })
  return { step, choice, given: optionsOf(options, USAGE), addCommand }
}

/** @throws UserError for a word that is not `name=value` */
function optionsOf(words: readonly string[], usage: string): ReadonlyMap<string, string> {
  const wrong = words.find((word) => !/^\w+=/.test(word))
  if (wrong !== undefined)
    throw new UserError(`"${wrong}" is no option: write name=value`, { exitCode: EXIT.usage, remedy: usage })
  return new Map(
    words.map((word): [string, string] => {
      const at = word.indexOf('=')
      return [word.slice(0, at), word.slice(at + 1)]
    }),
  )
}

async function run(file: string, shown: string, order: Order, prompt: Prompt | undefined): Promise<number> {
  const root = dirname(file)
  const env = { ...process.env }
  const { values, problems } = await readValues(file, { env })
  const fatal = problems.find(({ severity }) => severity === 'fatal')
  // A host that runs may have variables that are missing here.
  if (fatal && !(await ask(join(root, 'data'), { do: 'ping' })))
    throw new UserError(describeProblem(fatal), { exitCode: EXIT.configuration, remedy: 'mynah config check' })
  const health = new URL('/pub/health', await apiOf(join(root, 'data'), values)).href
  const host = await borrowHost(file, root, health, () => progress('starting the host for this'))
  try {
    const client = await HostClient.of(file, root, values, env)
    if (!(await client.has('config:get-all')))
      throw new UserError('the plugin workspace is not enabled, which saves the configuration', {
        exitCode: EXIT.failure,
        remedy: `Add workspace to plugins in ${shown}; it is installed with: npm install @mynah/plugin-workspace`,
      })
    await walk({ client, prompt, given: order.given, addCommand: order.addCommand }, order)
  } finally {
    if (!host.ranBefore) progress('stopping the host')
    await host.release()
  }
  const next = host.ranBefore ? 'The bot that runs has it already.' : 'Next: mynah start --console'
  show(`\n${next}`)
  return EXIT.ok
}

async function walk(context: StepContext, { step, choice }: Order): Promise<void> {
  // Options of the command line belong to one step, so that only this one is taken.
  if (step === undefined) await sayHello(context)
  if (step !== 'model') await addPlatform(context, choice)
  if (step !== 'platform') await addModel(context, choice)
}
