import { createInterface } from 'node:readline'
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'one', version: '1.0.0' },
    })
  else if (method === 'tools/list')
    answer(id, { tools: [{ name: 'roll', description: 'Rolls', inputSchema: { type: 'object' } }] })
  else if (id !== undefined) answer(id, {})
})
