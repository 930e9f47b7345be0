/** A peer for the platform `webhook`: a chat in the terminal, which shows how both directions are signed. */
export const PEER = `// The other side of the bot, for a start: posts the lines that you type, and prints the answers.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { mistakeIn, sign } from '@mynah/plugin-adapter-webhook/api'

const { WEBHOOK_SECRET: secret = '', WEBHOOK_URL: url = '', PORT: port = '8086' } = process.env
const own = new URL(url)

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const mistake = mistakeIn(secret, request.headers, body)
  if (mistake) return response.writeHead(401).end(mistake)
  console.log(JSON.parse(body.toString()).text)
  response.end()
})
server.listen(Number(own.port || 80), own.hostname)
await once(server, 'listening')

for await (const line of createInterface({ input: process.stdin })) {
  const channel = { type: 'private', id: 'alice' }
  const sender = { id: 'alice', name: 'Alice' }
  const body = JSON.stringify({ id: crypto.randomUUID(), channel, sender, content: line })
  const headers = { 'content-type': 'application/json', ...sign(secret, body) }
  const answer = await fetch(\`http://127.0.0.1:\${port}/webhook/chat/peer\`, { method: 'POST', body, headers })
  if (!answer.ok) console.error(await answer.text())
}
server.close()
`
