import { dirname, join, resolve } from 'node:path'
import { omitUndefined } from '@mynah/kernel/util'
import { checkAccounts } from '../account-checks.js'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import {
  checkConfiguration,
  checkData,
  checkNative,
  checkNode,
  checkPorts,
  checkToken,
  type Finding,
} from '../checks.js'
import { checkAddress, checkBackups, checkConsole, checkDisk, checkSecrets, runningHost } from '../operation-checks.js'
import { checkMcpTools } from '../mcp-checks.js'
import { checkOptionalPlugins } from '../optional-plugins.js'
import { apiOf, checkDatabaseServer, checkReadiness } from '../reachability.js'
import { checkModels, checkProviders } from '../model-providers.js'
import { checkShell } from '../shell-sandbox.js'
import { visibleLines } from '../visible.js'

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok  ', note: 'note', mend: 'FIX ' }

/** Asks the running host for the servers that it uses. */
const checkServers = async (...host: Parameters<typeof checkAccounts>): Promise<Finding[]> => [
  ...(await checkAccounts(...host)),
  ...(await checkMcpTools(...host)),
  ...(await checkProviders(...host)),
]

export async function doctor({ config, options }: Arguments): Promise<number> {
  const file = resolve(config)
  const root = dirname(file)
  const findings = [checkNode(process.versions.node)]
  const env = { ...process.env }
  const { found, values } = await checkConfiguration(file, config, env)
  findings.push(...found)
  const running = await runningHost(join(root, 'data'))
  findings.push(running)
  const api = running.pid === undefined ? undefined : await apiOf(join(root, 'data'), values ?? {})
  if (values)
    findings.push(
      await checkNative(root, values),
      ...(await checkPorts(values, api && new URL(api).origin)),
      await checkToken(file, root),
      await checkSecrets(root),
      checkAddress(values),
      ...(await checkDatabaseServer(values)),
      ...(running.pid === undefined ? [] : await checkServers(file, root, values, env)),
    )
  if (api !== undefined) findings.push(...(await checkReadiness(file, root, api)))
  findings.push(await checkData(root), await checkDisk(root), await checkBackups(root), checkConsole(root))
  if (values)
    findings.push(
      await checkModels(values, env),
      ...(await checkShell(root, values)),
      ...(await checkOptionalPlugins(root, values)),
    )
  const count = findings.filter(({ state }) => state === 'mend').length
  if (options.has('json')) {
    const listed = findings.map(({ state, subject, text, remedy }) =>
      omitUndefined({ state, subject, text, remedy: remedy || undefined }),
    )
    process.stdout.write(`${JSON.stringify({ ok: count === 0, findings: listed }, null, 2)}\n`)
    return count ? EXIT.failure : EXIT.ok
  }
  for (const { state, subject, text, remedy } of findings)
    process.stdout.write(visibleLines(`${MARKS[state]}  ${subject}: ${text}\n${remedy ? `        ${remedy}\n` : ''}`))
  process.stdout.write(count ? `\n${count} to fix\n` : '\nNothing to fix\n')
  return count ? EXIT.failure : EXIT.ok
}
