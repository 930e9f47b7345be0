// Checks of `mynah doctor`: whether the platforms accept the accounts of the running host, and what they lack.
import { messageOf } from '@mynah/kernel'
import type { AdapterItem, EndpointTest } from '@mynah/contract/types'
import type { Finding } from './checks.js'
import { HostClient } from './setup/host-client.js'

type Values = Readonly<Record<string, unknown>>
type Account = Readonly<Record<string, unknown>>

/** Tests each account of the running host whose platform can be asked while an endpoint uses it. */
export async function checkAccounts(
  file: string,
  root: string,
  values: Values,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  const accounts = accountsIn(values)
  if (accounts.length === 0) return []
  try {
    const client = await HostClient.of(file, root, values, env)
    const { adapters } = await client.call<{ adapters: readonly AdapterItem[] }>('endpoint:adapters')
    const probing = new Set(adapters.filter(({ name, probes }) => probes && name !== 'sandbox').map(({ name }) => name))
    const findings: Finding[] = []
    // One after the other: the host runs few tests at a time.
    for (const account of accounts)
      if (probing.has(String(account['adapter']))) findings.push(...(await checkAccount(client, account)))
    return findings
  } catch (error) {
    return [{ state: 'note', subject: 'accounts', text: `they could not be tested: ${messageOf(error)}` }]
  }
}

const accountsIn = ({ endpoints }: Values): Account[] =>
  Array.isArray(endpoints)
    ? endpoints.filter(
        (one): one is Account => typeof one === 'object' && one !== null && (one as Account)['enabled'] !== false,
      )
    : []

async function checkAccount(client: HostClient, account: Account): Promise<Finding[]> {
  const subject = `account ${String(account['adapter'])}/${String(account['id'])}`
  const { ok, message, missing = [] } = await client.call<EndpointTest>('endpoint:test', { account })
  if (!ok) return [{ state: 'mend', subject, text: message, remedy: 'Correct it in endpoints, or on the platform' }]
  return [
    { state: 'ok', subject, text: message },
    ...missing.map((what): Finding => ({ state: 'note', subject, text: `it lacks: ${what}` })),
  ]
}
