import type { Activity, EndpointActivity } from '@mynah/contract/types'
import { roundUp } from './model.js'

export interface Traffic {
  readonly received: readonly number[]
  readonly sent: readonly number[]
  readonly failed: number
  readonly total: number
  /** A round number at or above the most in a step. */
  readonly top: number
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Returns the messages of all endpoints, step by step. */
export function trafficOf({ endpoints }: Activity): Traffic {
  const length = Math.max(0, ...endpoints.map(({ received }) => received.length))
  const add = (of: (endpoint: EndpointActivity) => readonly number[]): number[] =>
    Array.from({ length }, (_, index) => sum(endpoints.map((endpoint) => of(endpoint)[index] ?? 0)))
  const [received, sent] = [add((endpoint) => endpoint.received), add((endpoint) => endpoint.sent)]
  const failed = sum(endpoints.map((endpoint) => sum(endpoint.failed)))
  return {
    received,
    sent,
    failed,
    total: sum(received),
    top: roundUp(Math.max(4, ...received.map((value, index) => value + (sent[index] ?? 0)))),
  }
}
