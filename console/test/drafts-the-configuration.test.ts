// One draft of the configuration over form and YAML: nothing of it is lost, comments stay, what others change is told.
import { expect } from 'chai'
import { SECRET_MASK } from '@mynah/contract/wire'
import { change, fromText, isDirty, rebase, sectionValue, takeTheirs, type Draft } from '../src/pages/config/draft.js'
import { changesOf, getIn, namedSection, sectionsOf, setIn, variablesOf } from '../src/pages/config/model.js'
import { choicesOf, emptyOf, kindOf, resolve } from '../src/pages/config/schema.js'
import { describeProblem } from '../src/pages/config/problems.js'
import { check, normalized, parse, patch, type Problem } from '../src/pages/config/yaml-tools.js'

const yaml =
  '# the host\nhttp:\n  port: 8086 # the usual one\n  token: ${HTTP_TOKEN}\n\n# where it rains\nweather:\n  city: Oslo\n'
const config = { http: { port: 8086, token: '${HTTP_TOKEN}' }, weather: { city: 'Oslo' } }
const fresh = (): Draft => ({ base: { config, yaml }, sections: {}, theirs: [] })
const keys = ['http', 'weather']

describe('a draft of the configuration', () => {
  it('holds what was changed in a form, and is clean again when that is taken back', () => {
    const changed = change(fresh(), 'http', ['port'], 9000)
    expect(isDirty(changed)).to.equal(true)
    expect(sectionValue(changed, 'http')).to.deep.equal({ port: 9000, token: '${HTTP_TOKEN}' })
    expect(isDirty(change(changed, 'http', ['port'], 8086))).to.equal(false)
    expect(config.http.port).to.equal(8086)
  })

  it('is the same draft as text: a form sees what was typed, and a text that is as before is clean', () => {
    const text = yaml.replace('8086', '9000')
    const typed = fromText(fresh(), text, parse(text), keys)
    expect(sectionValue(typed, 'http')).to.deep.include({ port: 9000 })
    expect(isDirty(typed)).to.equal(true)
    expect(isDirty(fromText(typed, yaml, parse(yaml), keys))).to.equal(false)
  })

  it('keeps the text while it cannot be read', () => {
    const broken = fromText(change(fresh(), 'weather', ['city'], 'Bergen'), 'http: [', parse('http: ['), keys)
    expect(broken.text).to.equal('http: [')
    expect(sectionValue(broken, 'weather')).to.deep.equal({ city: 'Bergen' })
  })

  it('goes on top of what somebody else saved, and names a section that both changed', () => {
    const mine = change(change(fresh(), 'http', ['port'], 9000), 'weather', ['city'], 'Bergen')
    const theirs = rebase(mine, { config: { ...config, http: { ...config.http, port: 7000 } }, yaml })
    expect(theirs.theirs).to.deep.equal(['http'])
    expect(sectionValue(theirs, 'http')).to.deep.include({ port: 9000 })
    expect(sectionValue(theirs, 'weather')).to.deep.equal({ city: 'Bergen' })
    expect(sectionValue(takeTheirs(theirs, 'http'), 'http')).to.deep.include({ port: 7000 })
    expect(
      isDirty(
        rebase(change(fresh(), 'http', ['port'], 9000), {
          config: { ...config, http: { ...config.http, port: 9000 } },
          yaml,
        }),
      ),
    ).to.equal(false)
  })
})

describe('the file', () => {
  it('is patched where something differs: comments, order and references stay', () => {
    const text = patch(yaml, ['http'], config.http, { ...config.http, port: 9000 })
    expect(text)
      .to.contain('port: 9000 # the usual one')
      .and.to.contain('${HTTP_TOKEN}')
      .and.to.contain('# where it rains')
    expect(normalized(yaml)).to.equal(yaml)
  })

  it('loses and gains keys, and takes a section that was not there', () => {
    expect(patch(yaml, ['weather'], { city: 'Oslo' }, { units: 'metric' })).to.match(/weather:\n {2}units: metric\n$/)
    expect(parse(patch(yaml, ['logs'], undefined, { maxRecords: 100 })).value).to.deep.include({
      logs: { maxRecords: 100 },
    })
  })

  it('says the line of a mistake and of a value', () => {
    const { problems, value } = parse('http:\n  port: [1\nweather: {}\n')
    expect(value).to.equal(undefined)
    expect(problems[0]?.line).to.be.within(2, 4)
    const { lineOf } = parse(yaml)
    expect(lineOf(['http', 'port'])).to.equal(3)
    expect(lineOf(['weather', 'nothing'])).to.equal(7)
  })

  it('is not read beyond its size, nor through a bomb of aliases', () => {
    expect(parse(`a: ${'x'.repeat(1_100_000)}`).problems).to.have.length(1)
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefgh'
        .split('')
        .map(
          (name, index) =>
            `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefgh'[index]}`).join(', ')}]`,
        ),
    ].join('\n')
    expect(() => parse(bomb)).to.throw(/alias/i)
  })
})

describe('checking a section', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      port: { type: 'integer', minimum: 0, maximum: 65535, default: 1 },
      mode: { enum: ['a', 'b'] },
      hosts: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
      who: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    },
  }
  const found = (value: unknown): string[] =>
    check(schema, value)
      .map((problem) => `${problem.path.join('.')} ${problem.keyword}`)
      .sort()

  it('finds nothing in what fits, be it a list or a single value', () => {
    expect(found({ name: 'x', port: 5, who: 'me' })).to.deep.equal([])
    expect(found({ name: 'x', who: ['me'] })).to.deep.equal([])
  })

  it('says each mistake once, at its place', () => {
    expect(found({ name: '', port: 70_000, mode: 'c', hosts: ['ok', 'No'], who: 5 })).to.deep.equal([
      'hosts.1 pattern',
      'mode enum',
      'name minLength',
      'port maximum',
      'who anyOf',
    ])
    expect(found({})).to.deep.equal(['name required'])
  })

  it('names the nearest known key', () => {
    expect(check(schema, { name: 'x', prot: 5 })).to.deep.equal([
      { path: ['prot'], keyword: 'unknown', expected: undefined, near: 'port' },
    ])
    expect(check(schema, { name: 'x', quite: 5 })[0]).to.not.have.property('near')
  })

  it('says in words what a pattern asks for, and shows the pattern only where the schema has none', () => {
    const said = (more: object): string =>
      describeProblem(
        check(
          { type: 'object', properties: { at: { type: 'string', pattern: '^\\d\\d:\\d\\d$', ...more } } },
          { at: 'soon' },
        )[0] as Problem,
      )
    expect(said({ description: 'Time of the day', examples: ['22:30'] })).to.equal(
      'does not fit the form that is asked for: Time of the day, such as “22:30”',
    )
    expect(said({ examples: ['22:30'] })).to.equal('does not fit the form that is asked for, such as “22:30”')
    expect(said({ description: 'Time of the day' })).to.equal(
      'does not fit the form that is asked for: Time of the day',
    )
    expect(said({})).to.contain('\\d')
  })

  it('leaves references and stored secrets to the host', () => {
    expect(found({ name: SECRET_MASK, port: '${PORT}', mode: '${MODE:-a}' })).to.deep.equal([])
  })
})

describe('sections', () => {
  it('are one a claim, a plugin with several is cut into them, and the rest belongs to nobody', () => {
    const { claimed, unclaimed } = sectionsOf(
      { plugins: [], http: {}, endpoints: [], telegramm: {} },
      { 'http-core': 'http', chat: 'endpoints' },
      {
        'http-core': { type: 'object', properties: { port: {} } },
        chat: { type: 'object', properties: { endpoints: { type: 'array' }, commands: { type: 'object' } } },
      },
    )
    expect(claimed.map((section) => [section.key, section.plugin])).to.deep.equal([
      ['commands', 'chat'],
      ['endpoints', 'chat'],
      ['http', 'http-core'],
    ])
    expect(unclaimed.map((section) => section.key)).to.deep.equal(['plugins', 'telegramm'])
  })

  it('are found by their key, by their plugin, or by what they are below, and by nothing else', () => {
    const { claimed } = sectionsOf(
      { ai: {}, http: {} },
      { 'http-core': 'http', agent: 'ai.agent', ai: 'ai.providers' },
      {},
    )
    const found = (name: string) => namedSection(claimed, name)?.key
    expect(['http', 'http-core', 'agent', 'ai.providers', 'ai', 'a', ''].map(found)).to.deep.equal([
      'http',
      'http',
      'ai.agent',
      'ai.providers',
      'ai.providers',
      undefined,
      undefined,
    ])
    expect(namedSection([{ key: 'ai.agent', plugin: 'agent', schema: undefined }], 'ai')?.key).to.equal('ai.agent')
  })

  it('change without changing what they came from, and never reach a prototype', () => {
    const value = { list: [{ a: 1 }, { a: 2 }] }
    expect(setIn(value, ['list', 1, 'a'], 3)).to.deep.equal({ list: [{ a: 1 }, { a: 3 }] })
    expect(setIn(value, ['list', 0], undefined)).to.deep.equal({ list: [{ a: 2 }] })
    expect(value.list).to.have.length(2)
    expect(getIn(value, ['constructor', 'name'])).to.equal(undefined)
    expect(changesOf({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } })).to.deep.equal([
      { path: ['a', 'c'], before: 2, after: 3 },
    ])
  })

  it('know variables of the environment from literal text', () => {
    expect(variablesOf('${A} and ${B:-x}')).to.deep.equal(['A', 'B'])
    expect(variablesOf('$${A}')).to.deep.equal([])
    expect(variablesOf(5)).to.deep.equal([])
  })
})

describe('fields of a form', () => {
  it('follow the schema, and of alternatives the one that the value is of', () => {
    expect(['string', 'boolean', 'integer'].map((type) => kindOf({ type }))).to.deep.equal(['text', 'flag', 'number'])
    expect(kindOf({ enum: ['a'] })).to.equal('choice')
    expect(kindOf({ type: 'array', items: { type: 'string' } })).to.equal('texts')
    expect(kindOf({ type: 'array', items: { type: 'object', properties: { a: {} } } })).to.equal('list')
    expect(kindOf({ type: 'object', additionalProperties: { type: 'string' } })).to.equal('record')
    expect(kindOf({})).to.equal('json')
    const either = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
    expect([
      kindOf(resolve(either, ['a'])),
      kindOf(resolve(either, 'a')),
      kindOf(resolve(either, undefined)),
    ]).to.deep.equal(['texts', 'text', 'text'])
    expect(choicesOf({ anyOf: [{ const: 'a' }, { const: 'b' }] })).to.deep.equal(['a', 'b'])
    expect(emptyOf({ type: 'object', properties: { a: {} } })).to.deep.equal({})
  })
})
