import { expect } from 'chai'
import { EventSource } from 'eventsource'
import { validate } from '@readme/openapi-parser'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { mistakesIn } from '@mynah/contract/validate'
import { until } from '@mynah/kernel/testing'
import { resolveOnDemand } from '../../tools/on-demand.mjs'
import { restCalls } from './calls.js'
import { events, operations, pathOf, verbOf } from './declared.js'
import { FULL, WholeHost } from './whole-host.js'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: object
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

describe('client generated from the OpenAPI document', function () {
  this.timeout(120_000)
  let host: WholeHost
  let document: Document
  before(async () => {
    host = await WholeHost.start()
    document = (await host.call('/pub/openapi.json', { token: null })).json as unknown as Document
  })
  after(() => host.close())

  it('gets a document that two validators accept', async () => {
    expect(await validate(structuredClone(document) as never)).to.deep.include({ valid: true, warnings: [] })
    const file = join(host.folder, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    const redocly = await resolveOnDemand('openapi', '@redocly/cli/bin/cli.js')
    const { stdout } = await promisify(execFile)(process.execPath, [redocly, 'lint', '--format=json', file], {
      cwd: host.folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    expect((JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: unknown }).totals).to.deep.equal({
      errors: 0,
      warnings: 0,
      ignored: 0,
    })
  })

  it('calls every operation and parses every answer', async () => {
    const { default: SwaggerClient } = (await import(
      pathToFileURL(await resolveOnDemand('openapi', 'swagger-client')).href
    )) as typeof import('swagger-client')
    const client = await SwaggerClient({
      spec: { ...document, servers: [{ url: host.origin }] },
      authorizations: { bearer: { value: FULL } },
    })
    let called = 0
    for (const [key, { params = {}, query = '', body, fails }] of Object.entries(restCalls)) {
      const operation = operations.get(key) as NonNullable<ReturnType<typeof operations.get>>
      // A stream does not end, and this client waits for the end.
      if (operation.raw?.startsWith('text/event-stream')) continue
      const template = pathOf(
        key,
        operation,
        Object.fromEntries(
          Array.from(key.matchAll(/[:*](\w+)/g), ([, name]) => [name as string, `{${name as string}}`]),
        ),
      )
        .replaceAll('%7B', '{')
        .replaceAll('%7D', '}')
      const described = document.paths[template]?.[verbOf(key).toLowerCase()]
      if (!described) throw new Error(`${key} is not described`)
      const { operationId } = described
      const answer = (await client
        .execute({
          operationId,
          parameters: { ...params, ...Object.fromEntries(new URLSearchParams(query)) },
          ...(body === undefined ? {} : { requestBody: body }),
        })
        .catch((error: { response?: unknown }) => {
          if (error.response) return error.response as never
          throw error
        })) as { status: number; body: Record<string, unknown>; text: string }
      called++
      if (fails !== undefined) {
        expect(answer.body, key).to.include({ success: false, code: fails })
        continue
      }
      expect(answer.status, `${key}: ${answer.text}`).to.equal(operation.status ?? 200)
      if (operation.reply) expect(mistakesIn(operation.reply, answer.body), key).to.deep.equal([])
      else if (operation.data) expect(mistakesIn(operation.data, answer.body.data), key).to.deep.equal([])
    }
    expect(called).to.equal(Object.keys(restCalls).length - 1)
  })
})

describe('EventSource of npm', function () {
  this.timeout(30_000)
  let host: WholeHost
  let source: EventSource | undefined
  before(async () => {
    host = await WholeHost.start()
  })
  after(async () => {
    source?.close()
    await host.close()
  })

  it('receives every event through onmessage as declared', async () => {
    const heard: { type: string; data: unknown; timestamp: number }[] = []
    source = new EventSource(`${host.origin}/api/events`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${FULL}` } }),
    })
    source.onmessage = ({ data }) => {
      heard.push(JSON.parse(data as string) as (typeof heard)[number])
    }
    const received = (type: string): Promise<void> => until(() => heard.some((event) => event.type === type), type)
    await received('init-data')
    expect(heard.slice(0, 2).map(({ type }) => type)).to.deep.equal(['sync', 'init-data'])
    await host.rpc('sandbox:send', {
      data: {
        endpointId: 'sandbox',
        channel: { type: 'private', id: 'alice' },
        sender: { id: 'alice' },
        content: '/help',
        messageId: 'm1',
      },
    })
    const said = { endpointId: 'sandbox', channel: { type: 'private', id: 'alice' }, messageId: 'm1' }
    await host.rpc('sandbox:react', { data: { ...said, sender: { id: 'alice' }, emoji: '👍', added: true } })
    await host.rpc('sandbox:edit', { data: { ...said, sender: { id: 'alice' }, content: 'help' } })
    await host.rpc('sandbox:request', { data: { endpointId: 'sandbox', kind: 'friend', sender: { id: 'dave' } } })
    await host.rpc('sandbox:notice', { data: { endpointId: 'sandbox', kind: 'poke', payload: {} } })
    await host.rpc('config:set', { pluginName: 'logs', data: { maxRecords: 3_000 } })
    for (const type of [
      'endpoint:message',
      'endpoint:messageChanged',
      'endpoint:reaction',
      'sandbox:message',
      'endpoint:request',
      'endpoint:notice',
      'config:updated',
    ])
      await received(type)
    for (const { type, data, timestamp } of heard) {
      const declared = events.get(type)
      expect(declared, type).not.to.equal(undefined)
      expect(
        mistakesIn((declared as NonNullable<typeof declared>).data, data),
        `${type} ${JSON.stringify(data)}`,
      ).to.deep.equal([])
      expect(timestamp, type).to.be.a('number')
    }
  })
})
