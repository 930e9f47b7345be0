// The three steps of `mynah setup`: a hello in the sandbox, an account on a platform, a model.
import { setTimeout } from 'node:timers/promises'
import { PLATFORMS } from 'create-mynah'
import { isRecord } from '@mynah/contract'
import { EXIT } from '../exit-codes.js'
import { UserError } from '../user-error.js'
import { providerSchemaOf, type Json } from './fields.js'
import { RefusedError, type HostClient } from './host-client.js'
import { addItem } from './new-item.js'
import { good, progress, say, show, type Prompt } from './terminal.js'

const SANDBOX = 'sandbox'
const NONE = 'none'
const ANSWER_MS = 5_000
const POLL_MS = 200

interface AdapterItem {
  readonly name: string
  readonly schema: Json
  readonly guide?: { readonly en: string }
}
interface Configured {
  readonly endpoints: readonly Json[]
  readonly ai: Json
  readonly providers: Json
}

/** Everything that a step needs. */
export interface StepContext {
  readonly client: HostClient
  readonly prompt: Prompt | undefined
  /** Texts by option, from the command line. */
  readonly given: ReadonlyMap<string, string>
  /** The command that adds an account without questions, before the name of the platform. */
  readonly addCommand: string
}

async function configured(client: HostClient): Promise<Configured> {
  const { config } = await client.call<{ config: Json }>('config:get-all')
  const ai = isRecord(config['ai']) ? config['ai'] : {}
  return {
    endpoints: Array.isArray(config['endpoints']) ? config['endpoints'].filter(isRecord) : [],
    ai,
    providers: isRecord(ai['providers']) ? ai['providers'] : {},
  }
}

/** Sends /help in the sandbox and prints the beginning of the answer. */
export async function sayHello({ client }: StepContext): Promise<void> {
  const channel = { type: 'private', id: 'setup' }
  const sent = await client
    .call('sandbox:send', { endpointId: 'sandbox', channel, sender: { id: 'setup' }, content: '/help' })
    .catch((error: unknown) => {
      // Without an endpoint of that name, or without its plugin, the sandbox cannot be used.
      if (error instanceof RefusedError) return undefined
      throw error
    })
  if (sent === undefined) return
  for (let waited = 0; waited < ANSWER_MS; waited += POLL_MS) {
    const { messages } = await client.call<{ messages: { direction: string; text: string }[] }>('sandbox:history', {
      endpointId: 'sandbox',
      channel,
    })
    const answer = messages.findLast(({ direction }) => direction === 'out')
    if (answer) {
      show(`${good('ok')}  the bot answers /help in the sandbox:`)
      return say(`      ${answer.text.split('\n')[0] ?? ''}`)
    }
    await setTimeout(POLL_MS)
  }
}

/**
 * Enables plugins. The error names the command that installs a missing one.
 *
 * @param again the command to be typed after that
 */
async function enable(client: HostClient, plugins: readonly string[], again: string): Promise<void> {
  progress(`enabling ${plugins.join(', ')}`)
  try {
    await client.call('config:enable', { plugins })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const command = /npm install [@\w./-]+/.exec(error.message)?.[0]
    throw new UserError(error.message, {
      exitCode: EXIT.failure,
      remedy: command ? `${command} && ${again}` : 'See: mynah doctor',
    })
  }
}

/** Adds an account on a platform. Asks which if `wanted` is undefined. */
export async function addPlatform(context: StepContext, wanted: string | undefined): Promise<void> {
  const { client, prompt, given } = context
  const adapters = async (): Promise<AdapterItem[]> =>
    (await client.call<{ adapters: AdapterItem[] }>('endpoint:adapters')).adapters
  // Those of this project are offered too where none of them is enabled.
  const known = new Set([...(await adapters()).map(({ name }) => name), ...PLATFORMS])
  known.delete(SANDBOX)
  const choices = [NONE, ...known]
  const platform = wanted ?? (await prompt?.choose('Add a platform?', choices)) ?? NONE
  if (platform === NONE) return
  const find = async (): Promise<AdapterItem | undefined> => (await adapters()).find(({ name }) => name === platform)
  let adapter = await find()
  if (!adapter) {
    await enable(client, [`adapter-${platform}`], `${context.addCommand} ${platform}`)
    adapter = await find()
  }
  if (!adapter)
    throw new UserError(`no enabled plugin provides the platform "${platform}"`, {
      exitCode: EXIT.failure,
      remedy: `Platforms are ${choices.slice(1).join(', ')}`,
    })
  if (prompt && adapter.guide) say(adapter.guide.en)
  const { endpoints } = await configured(client)
  const taken = endpoints.filter((endpoint) => endpoint['adapter'] === platform).map((endpoint) => endpoint['id'])
  const id = given.get('id') ?? freeName(platform, taken)
  if (taken.includes(id))
    throw new UserError(`there is an endpoint ${platform}/${id} already`, {
      exitCode: EXIT.failure,
      remedy: `Another id: ${context.addCommand} ${platform} id=${freeName(platform, taken)}`,
    })
  const rest = new Map(given)
  rest.delete('id')
  const saved = await addItem(
    client,
    {
      command: `${context.addCommand} ${platform}`,
      owner: id,
      schema: adapter.schema,
      fixed: { adapter: platform, id },
      test: (account) => client.call('endpoint:test', { account }),
      save: async (account) =>
        client.call('config:set', {
          pluginName: 'endpoints',
          data: [...(await configured(client)).endpoints, account],
        }),
    },
    rest,
    prompt,
  )
  if (saved) show(`${good('ok')}  ${platform} is saved in mynah.config.yml, secrets in .env`)
}

/** Adds a provider of models. Asks for its family if `wanted` is undefined. */
export async function addModel(context: StepContext, wanted: string | undefined): Promise<void> {
  const { client, prompt, given } = context
  const families = ['openai', 'anthropic', 'google', 'deepseek', 'ollama', 'openai-compatible']
  const family = wanted ?? (await prompt?.choose('Which models answer?', [NONE, ...families])) ?? NONE
  if (family === NONE) return
  if (!families.includes(family))
    throw new UserError(`"${family}" is no family of models`, {
      exitCode: EXIT.usage,
      remedy: `Families are ${families.join(', ')}`,
    })
  const missing = [
    ...((await client.has('models:list')) ? [] : ['ai']),
    ...((await client.has('agent:sessions')) ? [] : ['agent']),
  ]
  if (missing.length > 0) await enable(client, missing, `mynah setup model ${family}`)
  const schema = providerSchemaOf(await client.call('schema:get', { pluginName: 'ai' })) ?? {}
  const alias = freeName('main', Object.keys((await configured(client)).providers))
  const saved = await addItem(
    client,
    {
      command: `mynah setup model ${family}`,
      owner: alias === 'main' ? family : alias,
      schema,
      fixed: { sdk: family },
      test: (provider) => client.call('models:test', { alias, provider }),
      save: async (provider) => {
        const { ai, providers } = await configured(client)
        return client.call('config:set', {
          pluginName: 'ai',
          data: { ...ai, providers: { ...providers, [alias]: provider } },
        })
      },
    },
    given,
    prompt,
  )
  if (saved) show(`${good('ok')}  ${family} is saved as ai.providers.${alias}, its key in .env`)
}

/** Returns the first name that is not taken. */
function freeName(wanted: string, taken: readonly unknown[]): string {
  let name = wanted
  for (let count = 2; taken.includes(name); count++) name = `${wanted}-${count}`
  return name
}
