import { execFileSync } from 'node:child_process'
import { expect } from 'chai'

const inside = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: import.meta.dirname, encoding: 'utf8' })
const started = (servers: string): string =>
  inside(`
  import { register } from 'node:module'
  const hook = 'export async function resolve(name, context, next) { if (name.startsWith("@modelcontextprotocol")) throw new Error("it was asked for " + name); return next(name, context) }'
  register('data:text/javascript,' + encodeURIComponent(hook))
  const { createHost } = await import('@mynah/kernel')
  const { default: plugin } = await import('@mynah/plugin-mcp')
  const { McpServers } = await import('@mynah/plugin-mcp/api')
  const host = await createHost([{ plugin, config: { 'ai.mcpServers': ${servers} } }], { log: () => {} }).start()
  const servers = host.get(McpServers)
  while (servers.list().some(({ lastError }) => lastError === undefined)) await new Promise((resolve) => setTimeout(resolve, 5))
  process.stdout.write(JSON.stringify(servers.list().map(({ lastError }) => lastError)))
  await host.stop()`)

describe('lazy loading of the protocol', function () {
  this.timeout(20_000)

  it('loads nothing without a configured server', () => {
    expect(started('{}')).to.equal('[]')
  })

  it('loads the protocol for the first server, and reports a missing package', () => {
    expect(started('{ one: { command: "x" } }')).to.include(
      'it was asked for @modelcontextprotocol/sdk/client/index.js',
    )
  })
})
