import { expect } from 'chai'
import { EndpointRow } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import { exampleAnswers } from '../example-data.js'
import { answerSchemas, completeAnswers, exampleOf } from '../schema-example.js'
import { healthy } from '../stand-in.js'

describe('exampleOf', () => {
  it('generates a valid value for the answer of every call', () => {
    expect(answerSchemas.size).to.be.greaterThan(60)
    for (const [call, schema] of answerSchemas) expect(mistakesIn(schema, exampleOf(schema)), call).to.deep.equal([])
  })

  it('keeps given fields and adds only required ones', () => {
    const row = exampleOf(EndpointRow, { name: 'libera', unread: { messages: 3 } })
    expect(row).to.include({ name: 'libera', connected: false, status: 'online' })
    expect(row.unread).to.deep.equal({ messages: 3, requests: 0, notices: 0 })
    expect(row).to.not.have.property('error')
  })

  it('completes each item of a list, and the branch of a union that fits', () => {
    const Item = Type.Object({ kind: Type.Literal('b'), size: Type.Integer({ minimum: 2 }) })
    const schema = Type.Array(Type.Union([Type.Object({ kind: Type.Literal('a') }), Item]))
    expect(exampleOf(schema, [{ kind: 'b' }])).to.deep.equal([{ kind: 'b', size: 2 }])
  })
})

describe('completeAnswers', () => {
  it('shows a field that was added to an answer without an edit of the example data', () => {
    const { data } = completeAnswers({ 'GET /stats': { data: { uptime: 7 } } })['GET /stats'] as { data: object }
    expect(data).to.deep.include({ uptime: 7, plugins: { total: 0, active: 0 } })
  })

  it('makes the answers of the example host valid', () => {
    for (const [call, answer] of Object.entries({ ...healthy(), ...exampleAnswers() })) {
      const schema = answerSchemas.get(call)
      if (schema && typeof answer === 'object' && 'data' in answer)
        expect(mistakesIn(schema, answer.data), call).to.deep.equal([])
    }
  })
})
