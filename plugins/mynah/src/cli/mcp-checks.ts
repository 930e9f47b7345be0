// Checks of `mynah doctor`: the tools of MCP servers that the running host cannot offer.
import { messageOf } from '@mynah/kernel'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'
import { HostClient, RefusedError } from './setup/host-client.js'

/** Tools of a server that are named. */
const MAX_NAMED = 20

interface Server {
  readonly name: string
  readonly leftOut?: readonly { readonly name: string; readonly reason: string }[]
}

/** Returns a finding for each tool that a server of the running host lists and that cannot be used. */
export async function checkMcpTools(
  file: string,
  root: string,
  values: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  if (Object.keys((valueAt(values, 'ai.mcpServers') as object | undefined) ?? {}).length === 0) return []
  try {
    const client = await HostClient.of(file, root, values, env)
    const { servers } = await client.call<{ servers: readonly Server[] }>('mcp:list')
    return servers.flatMap(findingsOf)
  } catch (error) {
    // Without the plugin `mcp` no server runs.
    if (error instanceof RefusedError && error.code === 'unknown_method') return []
    return [
      {
        state: 'note',
        subject: 'MCP servers',
        text: `their tools could not be checked: ${messageOf(error)}`,
        remedy: 'The log of the host says more',
      },
    ]
  }
}

function findingsOf({ name: server, leftOut = [] }: Server): Finding[] {
  const subject = `MCP server ${server}`
  const findings = leftOut.slice(0, MAX_NAMED).map(({ name, reason }): Finding => ({
    state: 'note',
    subject,
    text: `${name || 'a tool'} ${reason}, and is not offered`,
    remedy: `Tell its author, or name it in ai.mcpServers.${server}.exclude`,
  }))
  const more = leftOut.length - findings.length
  if (more > 0)
    findings.push({ state: 'note', subject, text: `${more} more tools are not offered`, remedy: 'mcp:list has them' })
  return findings
}
