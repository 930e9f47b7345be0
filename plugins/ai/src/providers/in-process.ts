// Providers that plugins of this host serve, in place of those that the configuration does not have.
import type { ModelServer } from '../api/model-servers.js'
import type { AiConfig, ProviderConfig } from '../config.js'
import type { Fetch } from './endpoint.js'

type Servers = () => readonly ModelServer[]

const hostOf = ({ alias }: ModelServer): string => `${alias}.invalid`
const addressOf = (server: ModelServer): string => `http://${hostOf(server)}/v1`

/** Returns the configuration with the providers of this process, where it has none of its own. */
export function withServers(config: AiConfig, servers: readonly ModelServer[]): AiConfig {
  if (Object.values(config.providers).some(({ sdk }) => sdk !== undefined)) return config
  const providers = servers.map((server): [string, ProviderConfig] => [
    server.alias,
    { sdk: 'openai-compatible', baseUrl: addressOf(server), apiKey: 'none' },
  ])
  return { ...config, providers: { ...config.providers, ...Object.fromEntries(providers) } }
}

/** Returns a function that asks the servers of this process at their addresses, and the network at all others. */
export function fetchFrom(servers: Servers): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const server = servers().find((each) => url.hostname === hostOf(each))
    return server ? server.handle(new Request(input, init)) : fetch(input, init)
  }
}

/** Returns whether a provider is served in this process. */
export const isInProcess = ({ baseUrl }: ProviderConfig, servers: Servers): boolean =>
  servers().some((server) => baseUrl === addressOf(server))
