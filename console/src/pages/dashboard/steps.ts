import type { Activity, EndpointRow } from '@mynah/contract/types'
import { readStored, writeStored } from '../../lib/storage.js'

export interface Step {
  readonly id: 'hello' | 'platform' | 'model'
  readonly href: string
  readonly done: boolean
}

interface StepProvider {
  readonly status: string
  readonly models: readonly unknown[]
  readonly inProcess?: boolean
}

export interface StepSources {
  readonly has: (address: string) => boolean
  readonly endpoints: readonly EndpointRow[] | undefined
  readonly activity: Activity | undefined
  /** Providers of models. Absent where no plugin has models, or until they are known. */
  readonly providers: readonly StepProvider[] | undefined
}

/** Returns the steps from a new host to a bot that answers, or none until it is known which are done. */
export function firstSteps({ has, endpoints, activity, providers }: StepSources): Step[] {
  if (!endpoints || (has('models:list') && !providers)) return []
  const isSandbox = ({ adapter }: { readonly adapter: string }): boolean => adapter === 'sandbox'
  const heard = activity?.endpoints.some(({ received }) => received.some((count) => count > 0)) === true
  const canAdd = has('endpoint:test') && has('config:set')
  return [
    ...(has('sandbox:send') ? [{ id: 'hello' as const, href: '/sandbox', done: heard }] : []),
    ...(canAdd
      ? [
          {
            id: 'platform' as const,
            href: '/setup/platform',
            done: endpoints.some((endpoint) => !isSandbox(endpoint)),
          },
          {
            id: 'model' as const,
            href: '/setup/model',
            done: providers?.some(isModel) === true,
          },
        ]
      : []),
  ]
}

/** Whether a provider has models, and not one to practise with. */
const isModel = ({ status, models, inProcess }: StepProvider): boolean =>
  status === 'ready' && models.length > 0 && inProcess !== true

const keyOf = (base: string, what: string): string => `mynah_steps_${what} ${base}`

/** Returns whether the steps of a host were closed, or all of them done, in this browser. */
export const areStepsOver = (base: string): boolean => readStored(keyOf(base, 'over')) !== null
export const endSteps = (base: string): void => writeStored(keyOf(base, 'over'), 'yes')

/** Returns whether the bot has received a message before. The host counts the messages of its last hour only. */
export const wasHeard = (base: string): boolean => readStored(keyOf(base, 'heard')) !== null
export const keepHeard = (base: string): void => writeStored(keyOf(base, 'heard'), 'yes')
