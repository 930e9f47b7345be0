import { expect } from 'chai'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { definePlugin } from '../index.js'
import { parseDocument, type ConfigDocument } from './document.js'
import { interpolate } from './interpolate.js'
import { mayBeUnset } from './sections.js'

function fill(text: string, env: Record<string, string> = {}) {
  return interpolate(parseDocument(text, 'f.yml').document as ConfigDocument, env)
}

describe('interpolate', () => {
  it('replaces references in strings at any depth', () => {
    expect(fill('a: ["x ${N} ${M}"]\nb: { c: "${N}" }', { N: '1', M: '2' }).values).to.deep.equal({
      a: ['x 1 2'],
      b: { c: '1' },
    })
  })

  it('uses the default of unset or empty variables', () => {
    expect(fill('a: ${N:-one}\nb: ${M:-}\nc: "${O:-a b:-c}"', { N: '' }).values).to.deep.equal({
      a: 'one',
      b: '',
      c: 'a b:-c',
    })
  })

  it('accepts empty variables without a default', () => {
    const { values, problems } = fill('a: "x${N}"', { N: '' })
    expect(values).to.deep.equal({ a: 'x' })
    expect(problems).to.deep.equal([])
  })

  it('keeps references after a doubled dollar sign', () => {
    expect(fill('a: "$${N} costs $5 and ${N}"', { N: 'x' }).values).to.deep.equal({ a: '${N} costs $5 and x' })
  })

  it('does not interpolate values of variables', () => {
    expect(fill('a: ${N}', { N: '${M}', M: 'secret' }).values).to.deep.equal({ a: '${M}' })
  })

  it('does not interpolate keys', () => {
    expect(fill('"${N}": 1', { N: 'x' }).values).to.deep.equal({ '${N}': 1 })
  })

  it('lists all places of a missing variable', () => {
    const { problems } = fill('a: ${MISSING}\nb:\n  - x\n  - "${MISSING}/${OTHER}"\n')
    expect(problems.map(({ code }) => code)).to.deep.equal(['config/missing-variable', 'config/missing-variable'])
    expect(problems[0]?.message).to.contain('MISSING').and.to.contain('a (line 1)').and.to.contain('b[1] (line 4)')
    expect(problems[0]?.severity).to.equal('fatal')
  })

  it('omits a key whose schema allows an unset variable', () => {
    const schema = {
      type: 'object',
      properties: {
        token: { type: 'string', mayBeUnset: true },
        deep: { properties: { pass: { mayBeUnset: true } } },
        tokens: { type: 'array' },
      },
    } as unknown as TSchema
    const allowed = mayBeUnset([
      definePlugin({ name: 'net', config: { key: 'net', schema } }),
      definePlugin({ name: 'inner', config: { key: 'net.inner', schema } }),
    ])
    const read = (text: string) => interpolate(parseDocument(text, 'f.yml').document as ConfigDocument, {}, allowed)
    expect(read('net: { token: "${T}", port: 1 }')).to.deep.include({ values: { net: { port: 1 } }, problems: [] })
    expect(read('net: { deep: { pass: "${T}" }, inner: { token: "${T}" } }')).to.deep.include({
      values: { net: { deep: {}, inner: {} } },
      problems: [],
    })
    for (const text of [
      'net: { tokens: [{ token: "${T}" }] }',
      'net: { port: "${T}" }',
      'net: "${T}"',
      'other: { token: "${T}" }',
      'net: { inner: { deep: "${T}" } }',
    ])
      expect(read(text).problems, text).to.have.length(1)
  })

  it('evaluates no expressions', () => {
    for (const text of ['${1+1}', '${A.B}', '${process.env.HOME}', '${}', '${ A }', '${A', '${A:+x}', '${`ls`}']) {
      const { problems } = fill(`a: '${text}'`, { A: '1' })
      expect(problems, text).to.have.length(1)
      expect(problems[0]).to.include({ code: 'config/syntax', severity: 'fatal' })
    }
  })

  it('ignores the prototype of the environment', () => {
    expect(fill('a: ${constructor}').problems).to.have.length(1)
  })

  it('returns any text without references as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !text.includes('${')),
        (text) => {
          const document = parseDocument(JSON.stringify({ a: text }), 'f.yml').document
          if (document) expect(interpolate(document, {}).values).to.deep.equal(document.source)
        },
      ),
    )
  })
})
