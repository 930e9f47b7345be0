import type { DeclaredEvent } from '../api.js'

const SANDBOX = 'sandbox'

/** Returns whether clients of demo scope may see an event: as declared, but never configuration or other endpoints. */
export function isVisibleToDemo(type: string, json: string, declared: DeclaredEvent | undefined): boolean {
  if (!declared?.demo || type === 'config:updated') return false
  const data = JSON.parse(json) as unknown
  if (type.startsWith('endpoint:') && (data as { adapter?: unknown } | null)?.adapter !== SANDBOX) return false
  return (declared.demo as (data: unknown) => boolean)(data) === true
}
