import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import { StrictServer } from './strict-server.js'

describe('StrictServer', () => {
  let server: StrictServer
  let taken: unknown[]
  beforeEach(async () => {
    taken = []
    server = await StrictServer.start({
      routes: {
        'POST /rooms/:room/messages': {
          body: Type.Object({ text: Type.String() }),
          rule: ({ body }) => ((body as { text: string }).text === '' ? 'the text is empty' : undefined),
          answer: ({ params, body }) => {
            taken.push([params.room, body])
            return { body: { id: taken.length } }
          },
        },
        'GET /health': { isPublic: true, answer: () => ({ body: 'fine' }) },
      },
      authorize: ({ headers }) => (headers.authorization === 'Bearer secret' ? undefined : { status: 401 }),
    })
  })
  afterEach(() => server.kill())

  const post = (body: unknown, authorization = 'Bearer secret'): Promise<Response> =>
    fetch(`${server.url}/rooms/a%20b/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    })

  it('answers a request of the right shape, with the parts of its path', async () => {
    expect(await (await post({ text: 'hi' })).json()).to.deep.equal({ id: 1 })
    expect(taken).to.deep.equal([['a b', { text: 'hi' }]])
    await server.stop()
  })

  it('refuses a wrong authorization, which is no problem of the request', async () => {
    expect((await post({ text: 'hi' }, 'Bearer other')).status).to.equal(401)
    expect((await fetch(`${server.url}/health`)).status).to.equal(200)
    server.check()
  })

  for (const [what, body, problem] of [
    ['a missing key', {}, 'body.text'],
    ['an unknown key', { text: 'hi', colour: 'red' }, 'body.colour is not known here'],
    ['a broken rule', { text: '' }, 'the text is empty'],
  ] as const) {
    it(`fails the test after ${what}, with what was asked`, async () => {
      expect((await post(body)).status).to.equal(400)
      expect(() => server.check()).to.throw(problem)
      expect(() => server.check()).to.throw('POST /rooms/a%20b/messages → 400')
      expect(taken).to.deep.equal([])
    })
  }

  it('fails the test after a request that no route has', async () => {
    expect((await fetch(`${server.url}/nothing`)).status).to.equal(404)
    expect(() => server.check()).to.throw('GET /nothing: the platform has no such method')
  })

  it('meets a fault as often as scripted, without an effect', async () => {
    server.fault(/messages/, { status: 429, headers: { 'retry-after': '90' } }, 2)
    for (const expected of [429, 429, 200]) expect((await post({ text: 'hi' })).status).to.equal(expected)
    expect(taken).to.have.lengthOf(1)
  })

  it('takes a request and loses the answer', async () => {
    server.fault(/messages/, 'lose')
    expect(await post({ text: 'hi' }).catch((error: unknown) => error)).to.be.instanceOf(Error)
    expect(taken).to.have.lengthOf(1)
  })

  it('ends with its connections, and starts again at the same address', async () => {
    const { url } = server
    await server.kill()
    expect(await post({ text: 'hi' }).catch((error: unknown) => error)).to.be.instanceOf(Error)
    await server.restart()
    expect(server.url).to.equal(url)
    expect((await post({ text: 'hi' })).status).to.equal(200)
  })
})
