// Which events a client of demo scope sees: what their declaration allows, within bounds that no declaration can widen.
import type { DeclaredEvent } from '../api.js'

const SANDBOX = 'sandbox'

/** Whether an event with this payload may go to clients of demo scope. */
export function demoSees(type: string, json: string, declared: DeclaredEvent | undefined): boolean {
  if (!declared?.demo || type === 'config:updated') return false
  const data = JSON.parse(json) as unknown
  if (type.startsWith('endpoint:') && (data as { adapter?: unknown } | null)?.adapter !== SANDBOX) return false
  return (declared.demo as (data: unknown) => boolean)(data) === true
}
