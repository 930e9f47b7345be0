import type { Model, Provider, Server, Tool } from './wire.js'

const RANK = { failed: 0, discovering: 1, ready: 2 } as const

/** Sorts providers: failed ones first, then in the order of the file. Models are sorted by score. */
export const providersInOrder = (providers: readonly Provider[]): Provider[] =>
  providers
    .map((provider) => ({
      ...provider,
      models: [...provider.models].sort((a, b) => b.score - a.score || a.id.localeCompare(b.id)),
    }))
    .sort((a, b) => RANK[a.status] - RANK[b.status])

export const heldTools = (server: Server): Tool[] => server.tools.filter((tool) => tool.held)

/** Returns whether a server should be connected and is not. */
export const isDisconnected = (server: Server): boolean => !server.connected && server.disabled !== true

/** Sorts servers: disconnected first, then with held tools, then by name, disabled last. */
export const serversInOrder = (servers: readonly Server[]): Server[] =>
  [...servers].sort(
    (a, b) =>
      Number(isDisconnected(b)) - Number(isDisconnected(a)) ||
      Number(a.disabled === true) - Number(b.disabled === true) ||
      Number(heldTools(b).length > 0) - Number(heldTools(a).length > 0) ||
      a.name.localeCompare(b.name),
  )

/** Returns the names of the capabilities of a model. */
export const capabilityNames = ({ capabilities }: Model): string[] =>
  Object.entries(capabilities)
    .filter(([name, able]) => able && name !== 'streaming')
    .map(([name]) => name)

export const isCooling = (model: Model, now: number): boolean => (model.cooldownUntil ?? 0) > now

/** Returns whether a model can be asked while another one of `providers` cools down. */
export const hasFree = (providers: readonly Provider[], now: number): boolean =>
  providers.some(({ status, models }) => status !== 'failed' && models.some((model) => !isCooling(model, now)))

export interface ProblemCounts {
  readonly failed: number
  readonly cooling: number
  readonly disconnected: number
  readonly held: number
}

export function countProblems(providers: readonly Provider[], servers: readonly Server[], now: number): ProblemCounts {
  return {
    failed: providers.filter((provider) => provider.status === 'failed').length,
    cooling: providers.flatMap((provider) => provider.models).filter((model) => isCooling(model, now)).length,
    disconnected: servers.filter(isDisconnected).length,
    held: servers.reduce((sum, server) => sum + heldTools(server).length, 0),
  }
}

export interface Binding {
  readonly name: string
  readonly provider: string
  readonly model: string
}

/** Returns the names of the agents that use a model. */
export const usedBy = (bindings: readonly Binding[], alias: string, model: string): string[] =>
  bindings.filter((binding) => binding.provider === alias && binding.model === model).map((binding) => binding.name)
