import { expect } from 'chai'
import { SECRET_MASK } from '@mynah/contract/wire'
import { describeProblem } from './describe-problem.js'
import { check, normalized, parse, patch, type Problem } from './yaml-tools.js'

const yaml =
  '# the host\nhttp:\n  port: 8086 # the usual one\n  token: ${HTTP_TOKEN}\n\n# where it rains\nweather:\n  city: Oslo\n'

const config = { http: { port: 8086, token: '${HTTP_TOKEN}' }, weather: { city: 'Oslo' } }

describe('the YAML file', () => {
  it('is patched only where it differs, so comments, order and references stay', () => {
    const text = patch(yaml, ['http'], config.http, { ...config.http, port: 9000 })
    expect(text)
      .to.contain('port: 9000 # the usual one')
      .and.to.contain('${HTTP_TOKEN}')
      .and.to.contain('# where it rains')
    expect(normalized(yaml)).to.equal(yaml)
  })

  it('gains and loses keys and sections', () => {
    expect(patch(yaml, ['weather'], { city: 'Oslo' }, { units: 'metric' })).to.match(/weather:\n {2}units: metric\n$/)
    expect(parse(patch(yaml, ['logs'], undefined, { maxRecords: 100 })).value).to.deep.include({
      logs: { maxRecords: 100 },
    })
  })

  it('has the values of merge keys, and keeps these when it is patched', () => {
    const text = 'x: &x { port: 1, host: a }\nhttp:\n  <<: *x # both\n  token: t\n'
    const value = parse(text).value as { http: object }
    expect(value.http).to.deep.equal({ port: 1, host: 'a', token: 't' })
    const patched = patch(text, ['http'], value.http, { ...value.http, port: 2 })
    expect(patched).to.contain('<<: *x # both')
    expect(parse(patched).value?.['http']).to.deep.equal({ port: 2, host: 'a', token: 't' })
  })

  it('reports the line of a problem and of a value', () => {
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

describe('check', () => {
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

  it('reports nothing for valid values, lists included', () => {
    expect(found({ name: 'x', port: 5, who: 'me' })).to.deep.equal([])
    expect(found({ name: 'x', who: ['me'] })).to.deep.equal([])
  })

  it('reports each problem once, with its path', () => {
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

  it('describes a pattern in words if the schema has them', () => {
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
