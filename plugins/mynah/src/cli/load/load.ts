import { dirname, join, resolve } from 'node:path'
import { readValues } from '@mynah/kernel/loader'
import { createClient, HostError, NetworkError, type Client } from '@mynah/sdk'
import { UsageError, type Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { LoadRun, type LoadOptions } from './load-run.js'
import { tableOf } from './table.js'
import { apiOf } from '../reachability.js'
import { tokenOf } from '../tokens.js'
import { UserError } from '../user-error.js'
import { visibleJson } from '../visible.js'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const DEFAULT_SECONDS = 30
const MAX_RATE = 10_000
const MAX_SECONDS = 3_600

/** Sends messages to the sandbox of a host at a rate, and prints how it does. */
export async function load(args: Arguments): Promise<number> {
  const { options, values } = args
  const rate = rateOf(values['messages'])
  const seconds = numberOf('seconds', values['seconds'] ?? String(DEFAULT_SECONDS), MAX_SECONDS)
  const { base, token } = await targetOf(args)
  if (!LOOPBACK.test(new URL(base).hostname) && !options.has('yes'))
    throw new UserError(`${new URL(base).hostname} is not this machine`, {
      exitCode: EXIT.refused,
      remedy: 'Add --yes if the host is yours, and may be loaded',
    })
  const client = createClient({ base, ...(token === undefined ? {} : { token }) })
  const interrupt = new AbortController()
  const stop = (): void => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
    interrupt.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    const endpoint = await endpointOf(client, values['endpoint'])
    const text = values['text'] ?? '/help'
    return await report(client, { rate, seconds, endpoint, text, signal: interrupt.signal }, options.has('json'))
  } catch (error) {
    if (!(error instanceof HostError || error instanceof NetworkError)) throw error
    throw new UserError(`${new URL(base).origin} cannot be loaded: ${error.message}`, {
      exitCode: EXIT.failure,
      remedy: 'Start the host, and name its configuration with -c, or its address with --url and HTTP_TOKEN',
      cause: error,
    })
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    client.close()
  }
}

async function report(client: Client, options: LoadOptions, json: boolean): Promise<number> {
  if (!json)
    process.stderr.write(
      `${options.rate} messages per second for ${options.seconds} s; Ctrl-C ends it with what it has\n`,
    )
  const result = await new LoadRun(client, options).run()
  process.stdout.write(json ? `${visibleJson(JSON.stringify(result, undefined, 2))}\n` : `${tableOf(result)}\n`)
  if (result.interrupted) return EXIT.interrupted
  return result.lost > 0 || Object.keys(result.errors).length > 0 ? EXIT.failure : EXIT.ok
}

/** Parses a rate such as `100/s`. */
function rateOf(text: string | undefined): number {
  if (text === undefined) throw new UsageError('--messages is missing, such as --messages 100/s')
  const [, figure] = /^(\d{1,5}(?:\.\d{1,3})?)(?:\/s)?$/.exec(text) ?? []
  if (figure === undefined) throw new UsageError(`--messages must be a rate such as 100/s, not "${text}"`)
  return numberOf('messages', figure, MAX_RATE)
}

function numberOf(option: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text) || value <= 0 || value > most)
    throw new UsageError(`--${option} must be a number up to ${most}, not "${text}"`)
  return value
}

/** Returns the address and the token of the named host, or of the one with the configuration file. */
async function targetOf({
  config,
  values,
}: Arguments): Promise<{ readonly base: string; readonly token?: string | undefined }> {
  const { url } = values
  if (url !== undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new UsageError(`--url must be the address of a host, such as http://127.0.0.1:8086, not "${url}"`)
    return { base: url, token: process.env['HTTP_TOKEN'] }
  }
  const file = resolve(config)
  const root = dirname(file)
  const env = { ...process.env }
  const { values: configured } = await readValues(file, { env })
  const token = await tokenOf(file, root, env)
  return { base: new URL(await apiOf(join(root, 'data'), configured)).origin, token }
}

/** Returns the named endpoint of the sandbox, or the first one. */
async function endpointOf(client: Client, named: string | undefined): Promise<string> {
  const { endpoints } = await client.rpc('endpoint:list', {})
  const found = endpoints.filter(({ adapter }) => adapter === 'sandbox').map((one) => one.name)
  const [first] = found
  if (named === undefined ? first !== undefined : found.includes(named)) return named ?? (first as string)
  throw new UserError(named === undefined ? 'the host has no sandbox' : `the host has no sandbox "${named}"`, {
    exitCode: EXIT.failure,
    remedy: 'Add adapter-sandbox to plugins, and { adapter: sandbox, id: sandbox } to endpoints',
  })
}
