import { expect } from 'chai'
import { agentLoop } from '@mynah/plugin-ai/api'
import { scriptedModels } from '@mynah/plugin-ai/testing'
import { eachTest, odd } from './test/support.js'

const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }

/** Schemas that servers send, with an input that their authors mean to be valid. */
const CALLABLE: readonly (readonly [name: string, schema: unknown, input: object])[] = [
  ['plain', of({ a: text }, { required: ['a'] }), { a: 'x' }],
  ['req_null', of({ a: text }, { required: null }), { a: 'x' }],
  ['req_true', of({ a: { ...text, required: true } }), { a: 'x' }],
  ['nullable_notype', of({ a: { nullable: true, anyOf: [text, { type: 'number' }] } }), { a: null }],
  ['nullable_ref', of({ a: { nullable: true, allOf: [{ $ref: '#/$defs/A' }] } }, { $defs: { A: text } }), { a: null }],
  ['draft4', of({ a: text, n: { type: 'number', minimum: 0, exclusiveMinimum: true } }), { a: 'x', n: 1 }],
  ['tuple', of({ a: text, p: { type: 'array', items: [{ type: 'number' }, { type: 'number' }] } }), { p: [1, 2] }],
  ['enum_empty', of({ a: text, e: { ...text, enum: [] } }), { e: 'x' }],
  ['enum_null', of({ a: { ...text, enum: null } }), { a: 'x' }],
  ['type_any', of({ a: { type: 'any' } }), { a: ['x', 1] }],
  ['type_upper', of({ a: { type: 'STRING' } }), { a: 'x' }],
  ['props_null', { type: 'object', properties: null }, {}],
  ['props_list', { type: 'object', properties: [] }, {}],
  [
    'ref_definitions',
    of(
      { a: { $ref: '#/definitions/A' } },
      { definitions: { A: text }, $schema: 'http://json-schema.org/draft-07/schema#' },
    ),
    { a: 'x' },
  ],
  ['ref_id', of({ a: { $ref: 'urn:x#/$defs/A' } }, { $id: 'urn:x', $defs: { A: text } }), { a: 'x' }],
  ['desc_null', of({ a: { ...text, description: null, default: null, title: null } }), {}],
  [
    'type_null_list',
    of({
      a: { type: ['string', 'null'] },
      l: { type: ['array', 'null'], items: { type: ['object', 'null'], properties: { value: true } } },
    }),
    { a: null, l: [null, { value: 1 }] },
  ],
  ['no_type', { properties: { a: text } }, { a: 'x' }],
  ['addl_null', of({ a: text }, { additionalProperties: null }), { a: 'x' }],
  ['min_str', of({ a: { ...text, minLength: '1' } }), { a: 'x' }],
  ['dep_str', of({ a: text, b: text }, { dependencies: { b: ['a'] } }), { a: 'x', b: 'y' }],
  ['pattern_bad', of({ a: { ...text, pattern: '^[a-z]+\\Z' } }), { a: 'x' }],
  ['format_odd', of({ a: { ...text, format: 'uuid4' } }), { a: 'x' }],
  ['none', undefined, {}],
  ['empty_list', [], {}],
  ['recursive', of({ a: { $ref: '#' } }), { a: { a: {} } }],
  [
    'one_of_formats',
    of({
      a: {
        oneOf: [
          { ...text, format: 'date' },
          { ...text, format: 'uri' },
        ],
      },
    }),
    { a: '2026-01-01' },
  ],
  ['hostile_pattern', of({ a: { ...text, pattern: '^(a+)+$' } }), { a: 'a'.repeat(30_000) }],
  ['one_of_at_the_top', { type: 'object', oneOf: [of({ a: text }, { required: ['a'] }), of({ b: text })] }, { b: 'x' }],
  ['nullable_root', { type: ['object', 'null'], nullable: true, properties: { a: text } }, { a: 'x' }],
]

/** Schemas in which nothing plain is meant. */
const LEFT_OUT: readonly (readonly [name: string, schema: unknown, reason: string])[] = [
  [
    'ref_missing',
    of({ a: { $ref: '#/$defs/Nowhere' } }),
    'properties.a.$ref is "#/$defs/Nowhere", which is not in the schema',
  ],
  [
    'ref_remote',
    of({ a: { $ref: 'http://127.0.0.1:9/a.json' } }),
    'properties.a.$ref is "http://127.0.0.1:9/a.json", which is not in the schema',
  ],
  ['list', { type: 'array' }, 'it must be the JSON Schema of an object'],
  ['type_own', of({ a: { type: 'Person' } }), 'properties.a.type is "Person", which is not a type'],
  [
    'circle',
    of({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { $ref: '#/$defs/A' } } }),
    '$defs.A refers to itself without end',
  ],
  [
    'impossible',
    of({}, { required: ['a'], additionalProperties: false }),
    'required has "a", which additionalProperties refuses',
  ],
]

describe('tools with odd schemas', () => {
  const rigs = eachTest()

  it('are offered if they can be called, and named with the reason otherwise', async () => {
    const tools = [...CALLABLE, ...LEFT_OUT].map(([name, inputSchema]) => ({ name, inputSchema }))
    const rig = await rigs.start({ odd: odd({ tools, chatty: true }) })
    await rig.connected('odd')
    expect(rig.server('odd').leftOut).to.deep.equal(
      LEFT_OUT.map(([name, , reason]) => ({ name, reason: `has a schema that cannot be used: ${reason}` })),
    )
    const offered = rig.tools.filter((name) => tools.some((tool) => name === `odd__${tool.name}`))
    expect(offered).to.have.members(CALLABLE.map(([name]) => `odd__${name}`))

    const calls = CALLABLE.map(([name, , input]) => ({ name: `odd__${name}`, input }))
    const models = scriptedModels([{ calls }, 'Done.'])
    const results = new Map<string, string>()
    for await (const event of agentLoop({
      stream: (request, options) => models.stream(request, { ...options, candidates: [] }),
      messages: [{ role: 'user', content: 'Call all' }],
      tools: offered.map((name) => rig.tool(name)),
    })) {
      if (event.type === 'end')
        for (const { role, content } of event.messages)
          if (role === 'tool') for (const { name, output } of content) results.set(name, JSON.stringify(output))
    }
    for (const { name } of calls) expect(results.get(name), name).to.include(`ran ${name.slice('odd__'.length)}`)
  })
})
