// An MCP server with one tool, over standard input and output: npm install @modelcontextprotocol/sdk zod
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const server = new McpServer({ name: 'plums', version: '1.0.0' })

server.registerTool(
  'price',
  { description: 'The price of a fruit, in cents', inputSchema: { fruit: z.string().max(40) } },
  ({ fruit }) => ({ content: [{ type: 'text', text: fruit === 'plum' ? '30' : 'There is no such fruit.' }] }),
)

await server.connect(new StdioServerTransport())
