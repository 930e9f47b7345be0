import { expect } from 'chai'
import fc from 'fast-check'
import { readdir, readFile } from 'node:fs/promises'
import { mistakesIn } from '@mynah/contract/validate'
import { checkFile } from '@mynah/kernel/loader'
import { anything, arbitraryOf, type Schema } from './arbitrary.js'
import { methods, operations, pathOf, verbOf } from './declared.js'
import { DEMO, FULL, WholeHost, type Reply } from './whole-host.js'

const RUNS = 12
const LIMIT = 900_000

/** An object that fits but for one field, and the name of that field. */
const broken = (
  schema: Schema,
  { coerce = false } = {},
): fc.Arbitrary<{ value: Record<string, unknown>; field: string }> | undefined => {
  const fields = Object.keys(schema.properties ?? {})
  const wrong = (value: Record<string, unknown>, field: string): boolean => {
    const mistakes = mistakesIn(schema, structuredClone(value), { coerce })
    return mistakes.length > 0 && mistakes.every(({ path }) => path.startsWith(field))
  }
  const breakable = fields.filter(
    (field) =>
      schema.required?.includes(field) ||
      [null, {}, 'x'.repeat(5_000_000), -1, 'x'].some(
        (candidate) =>
          mistakesIn(
            { type: 'object', properties: { [field]: schema.properties?.[field] } },
            { [field]: candidate },
            { coerce },
          ).length > 0,
      ),
  )
  if (breakable.length === 0) return undefined
  return fc
    .tuple(arbitraryOf(schema), fc.constantFrom(...breakable), fc.option(anything, { nil: undefined }))
    .map(([value, field, instead]) => {
      const { [field]: _, ...rest } = value as Record<string, unknown>
      return { value: instead === undefined ? rest : { ...rest, [field]: instead }, field }
    })
    .filter(
      ({ value, field }) =>
        JSON.stringify(value).length < LIMIT && !JSON.stringify(value).includes('"__proto__"') && wrong(value, field),
    )
}

describe('wrong input', function () {
  this.timeout(120_000)
  let host: WholeHost
  let files: string[]
  /** Texts that the file may have: whatever was saved. */
  const saved = new Set<string>()
  before(async () => {
    host = await WholeHost.start()
    files = await readdir(host.folder)
  })
  after(() => host.close())

  const expectSound = ({ status, text, json }: Reply, what: string): void => {
    expect(status < 500 || status === 502 || status === 503, `${what}: ${text}`).to.equal(true)
    expect(text, what)
      .not.to.contain(FULL)
      .and.not.to.contain(DEMO)
      .and.not.to.contain(host.folder)
      .and.not.to.match(/\.[jt]s:\d+:\d+|node_modules\//)
    if (status < 400) return
    expect(json, what).to.include({ success: false })
    expect(json.code, `${what}: ${text}`)
      .to.be.a('string')
      .and.not.to.match(/^internal/)
    expect(json.error, what).to.be.a('string').and.not.to.equal('')
  }
  const expectRefused = (reply: Reply, prefix: string, what: string): void => {
    expectSound(reply, what)
    expect(reply.json.code, `${what}: ${reply.text}`).to.equal('invalid_request')
    const details = reply.json.details as { path: string; message: string }[]
    expect(details, what).to.be.an('array').and.not.to.deep.equal([])
    expect(
      details.some(({ path }) => path.startsWith(prefix)),
      `${what}: ${JSON.stringify(details)} is about ${prefix}`,
    ).to.equal(true)
  }

  it('of methods is rejected with the path of the mistake', async () => {
    for (const [type, { params, nested }] of methods) {
      const generated = params && !type.startsWith('cron:') ? broken(params as Schema) : undefined
      if (!generated) continue
      await fc.assert(
        fc.asyncProperty(generated, async ({ value, field }) => {
          const own = nested
            ? value
            : Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'type' && name !== 'requestId'))
          expectRefused(
            await host.rpc(type, nested ? { data: own } : own),
            nested ? `data.${field}` : field,
            `${type} ${JSON.stringify(own).slice(0, 200)}`,
          )
        }),
        { numRuns: RUNS },
      )
    }
  })

  it('of operations is rejected with the path of the mistake', async () => {
    for (const [key, operation] of operations) {
      const verb = verbOf(key)
      const body =
        operation.body && key !== 'POST /console/request' && key !== 'POST /config/:name'
          ? broken(operation.body as Schema)
          : undefined
      if (body)
        await fc.assert(
          fc.asyncProperty(body, async ({ value, field }) =>
            expectRefused(
              await host.call(pathOf(key, operation), { method: verb, body: value }),
              `body.${field}`,
              `${key} ${JSON.stringify(value).slice(0, 200)}`,
            ),
          ),
          { numRuns: RUNS },
        )
      const text = ({ value }: { value: Record<string, unknown> }) =>
        Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name,
            typeof inner === 'object' ? JSON.stringify(inner) : String(inner),
          ]),
        )
      const query =
        operation.query && key !== 'GET /events' ? broken(operation.query as Schema, { coerce: true }) : undefined
      if (query)
        await fc.assert(
          fc.asyncProperty(
            query
              .map((found) => ({ field: found.field, value: text(found) }))
              .filter(
                ({ value }) =>
                  JSON.stringify(value).length < 8_000 &&
                  mistakesIn(operation.query as object, { ...value }, { coerce: true }).length > 0,
              ),
            async ({ value, field }) =>
              expectRefused(
                await host.call(`${pathOf(key, operation)}?${new URLSearchParams(value)}`, { method: verb }),
                `query.${field}`,
                `${key} ${JSON.stringify(value)}`,
              ),
          ),
          { numRuns: RUNS },
        )
    }
  })

  it('that matches its schema but makes no sense causes no internal error', async () => {
    for (const [type, { params, nested }] of methods) {
      if (!params) continue
      await fc.assert(
        fc.asyncProperty(arbitraryOf(params as Schema), async (value) => {
          fc.pre(!JSON.stringify(value).includes('"__proto__"'))
          const reply = await host.rpc(type, nested ? { data: value } : (value as object))
          expectSound(reply, `${type} ${JSON.stringify(value).slice(0, 300)}`)
          if (type === 'config:save-yaml' && reply.json.success === true) saved.add((value as { yaml: string }).yaml)
        }),
        { numRuns: RUNS },
      )
    }
    for (const [key, operation] of operations) {
      if (key === 'GET /events' || operation.raw?.startsWith('application/json')) continue
      const part = (schema: unknown) => (schema ? arbitraryOf(schema as Schema) : fc.constant(undefined))
      await fc.assert(
        fc.asyncProperty(
          part(operation.params),
          part(operation.query),
          part(operation.body),
          async (params, query, body) => {
            fc.pre(!JSON.stringify(body ?? null).includes('"__proto__"'))
            const search = query
              ? `?${new URLSearchParams(Object.entries(query as object).map(([name, value]) => [name, String(value)]))}`
              : ''
            expectSound(
              await host.call(pathOf(key, operation, params as Record<string, string>).split(/[?#]/)[0] + search, {
                method: verbOf(key),
                ...(body === undefined ? {} : { body }),
              }),
              `${key} ${JSON.stringify({ params, query, body }).slice(0, 300)}`,
            )
          },
        ),
        { numRuns: RUNS },
      )
    }
  })

  it('leaves no partial file and no error in the log', async () => {
    expect((await checkFile(host.file, { env: {} })).filter(({ severity }) => severity !== 'warning')).to.deep.equal([])
    const text = await readFile(host.file, 'utf8')
    expect(saved.has(text) || text.includes(FULL)).to.equal(true)
    expect((await readdir(host.folder)).filter((name) => name.endsWith('.tmp'))).to.deep.equal([])
    expect(await readdir(host.folder)).to.include.members(files)
    expect(
      host.log
        .filter(({ level }) => level === 'error')
        .map(({ name, message, fields }) => `${name}: ${message} ${JSON.stringify(fields)}`),
    ).to.deep.equal([])
    expect((await host.call('/pub/health')).json).to.include({ status: 'ok' })
  })
})
