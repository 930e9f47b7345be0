import { expect } from 'chai'
import { Type } from 'typebox'
import { createHost, definePlugin, logged, type LogRecord } from '../index.js'
import { Redactor, secretsOf } from './redact.js'

const line = (message: string, fields?: Record<string, unknown>): LogRecord => ({
  time: 0,
  level: 'info',
  name: 'x',
  message,
  ...(fields ? { fields } : {}),
})

describe('Redactor', () => {
  const plugin = definePlugin({
    name: 'subject',
    config: {
      key: 'subject',
      schema: Type.Object({
        pass: Type.String({ secret: true }),
        accounts: Type.Array(Type.Object({ botToken: Type.String() })),
        tokens: Type.Array(Type.Object({ token: Type.String() })),
      }),
    },
  })
  const config = { pass: 'correct-horse', accounts: [{ botToken: 'canary-one' }], tokens: [{ token: 'canary-two' }] }

  it('finds secrets by schema and by key, in lists too', () => {
    expect(secretsOf([{ plugin, config }])).to.have.members(['correct-horse', 'canary-one', 'canary-two'])
  })

  it('masks learned secrets, bearers, addresses and queries in messages and fields', () => {
    const redact = new Redactor('/srv/bot')
    redact.learn(secretsOf([{ plugin, config }]))
    const { message, fields } = redact.secrets(
      line('got canary-one; Bearer abcdefgh123 at https://bob:hunter22@x.test/?token=zzzzzz&a=1', {
        deep: { list: ['canary-two'] },
        apiKey: 'anything',
        error: new Error('correct-horse'),
      }),
    )
    expect(message).to.equal('got ••••; Bearer •••• at https://bob:••••@x.test/?token=••••&a=1')
    expect(fields).to.deep.equal({ deep: { list: ['••••'] }, apiKey: '••••', error: '••••' })
  })

  it('makes paths below the root relative and hides the rest of others', () => {
    const redact = new Redactor('/srv/bot')
    expect(
      redact.paths(line("cannot open '/srv/bot/data/a.db', see /etc/hosts and file:///home/me/x/y.js:3:4")).message,
    ).to.equal("cannot open 'data/a.db', see …/hosts and …/y.js:3:4")
  })

  it('keeps the paths of requests', () => {
    expect(new Redactor('/srv/bot').paths(line('GET /api/plugins/chat answered 200')).message).to.equal(
      'GET /api/plugins/chat answered 200',
    )
  })
})

describe('a host with a redactor', () => {
  it('masks secrets for the sink, and paths for listeners too', async () => {
    const redact = new Redactor('/srv/bot')
    redact.learn(['canary-one'])
    const sink: string[] = []
    const heard: string[] = []
    const speaker = definePlugin({
      name: 'speaker',
      setup(ctx) {
        ctx.on(logged, (record) => void heard.push(record.message))
        ctx.log.info('canary-one in /etc/secret/file')
      },
    })
    const host = await createHost([{ plugin: speaker }], {
      redact,
      log: (record) => void sink.push(record.message),
    }).start()
    await host.stop()
    expect(sink).to.include('•••• in /etc/secret/file')
    expect(heard).to.include('•••• in …/file')
  })
})
