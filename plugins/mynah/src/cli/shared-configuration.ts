import { isWireError } from '@mynah/contract'
import { messageOf, SharedConfiguration, type Host } from '@mynah/kernel'
import type { ConfigurationResult, PushOrder } from './protocol.js'

/** Compares the configuration file with what all hosts run, or pushes it. Never rejects. */
export async function configurationOf(host: Host, push: PushOrder | undefined): Promise<ConfigurationResult> {
  const shared = host.get(SharedConfiguration)
  if (!shared) return refused('conflict', 'this host shares no configuration: its file takes effect with mynah reload')
  try {
    return push ? { pushed: await shared.push(push) } : { comparison: await shared.compare() }
  } catch (error) {
    if (!isWireError(error)) return refused('internal', messageOf(error))
    const details = (error.details ?? []).map(({ path, message }) => (path ? `${path}: ${message}` : message))
    return refused(error.code, error.message, details)
  }
}

const refused = (code: string, message: string, details: readonly string[] = []): ConfigurationResult => ({
  refused: { code, message, details },
})
