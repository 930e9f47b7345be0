// A practice model: a server of the chat-completions protocol that answers from a script.
import { createServer } from 'node:http'
import { definePlugin } from 'mynah'
import { answerTo } from './script.js'

const WORD_MS = 25
const MAX_BODY = 4 * 1024 * 1024

/** One server on loopback; closed with the plugin. */
export default definePlugin({
  name: 'practice-model',
  description: 'A scripted model to practise with: no key, no intelligence',
  config: {
    key: 'practice',
    schema: {
      type: 'object',
      properties: { port: { type: 'integer', minimum: 0, maximum: 65535, default: 8087 } },
      additionalProperties: false,
      default: {},
    },
  },
  async setup(ctx) {
    const server = createServer((request, response) => {
      serve(request, response).catch((error) => {
        ctx.log.warn(`the practice model could not answer: ${error.message}`)
        response.destroy()
      })
    })
    await new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(ctx.config.port, '127.0.0.1', resolve)
    })
    ctx.onDispose(
      'server',
      () =>
        new Promise((resolve) => {
          server.closeAllConnections()
          server.close(resolve)
        }),
    )
    ctx.log.info(`the practice model listens on port ${server.address().port}`)
  },
})

async function serve(request, response) {
  const json = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.method === 'GET' && request.url === '/v1/models')
    return json(200, { object: 'list', data: [{ id: 'practice-model', object: 'model', owned_by: 'mynah' }] })
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
    return json(404, { error: { message: 'There is nothing here' } })
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_BODY) return json(413, { error: { message: 'Too long' } })
  }
  const asked = JSON.parse(text)
  const answer = answerTo(asked)
  const id = `practice-${Date.now()}`
  const usage = {
    prompt_tokens: Math.ceil(text.length / 4),
    completion_tokens: Math.ceil(answer.text.length / 4),
    total_tokens: Math.ceil((text.length + answer.text.length) / 4),
  }
  const calls = answer.calls.map(({ name, input }, index) => ({
    index,
    id: `${id}-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const finish = calls.length ? 'tool_calls' : 'stop'
  if (!asked.stream)
    return json(200, {
      id,
      object: 'chat.completion',
      model: asked.model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: answer.text, ...(calls.length ? { tool_calls: calls } : {}) },
          finish_reason: finish,
        },
      ],
      usage,
    })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta, reason = null) =>
    response.write(
      `data: ${JSON.stringify({
        id,
        object: 'chat.completion.chunk',
        model: asked.model,
        choices: [{ index: 0, delta, finish_reason: reason }],
      })}\n\n`,
    )
  send({ role: 'assistant', content: '' })
  for (const word of answer.text.split(/(?<=\s)/)) {
    if (response.destroyed) return
    send({ content: word })
    await new Promise((resolve) => setTimeout(resolve, WORD_MS))
  }
  if (calls.length) send({ tool_calls: calls })
  send({}, finish)
  response.write(
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', model: asked.model, choices: [], usage })}\n\n`,
  )
  response.end('data: [DONE]\n\n')
}
