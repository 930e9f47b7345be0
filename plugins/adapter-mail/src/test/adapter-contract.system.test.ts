import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Channel } from '@mynah/plugin-chat/api'
import { adapterContract, type AdapterRig } from '@mynah/plugin-chat/testing'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import mailAdapter from '../index.js'
import { Correspondence } from './correspondence.js'
import { Dovecot, PASSWORD, whyNoDovecot } from './dovecot.js'
import { mail } from './mail.js'
import { SmtpSink } from './smtp-sink.js'

const target: Channel = { type: 'private', id: '~alice@example.org' }

async function rig(): Promise<AdapterRig> {
  // The position outlasts a restart of the host where the store of messages does.
  const folder = await mkdtemp(join(tmpdir(), 'mynah-mail-store-'))
  const server = await Dovecot.start()
  const sink = await new SmtpSink().listen()
  const mails = new Correspondence(server, sink)
  const account = {
    adapter: 'mail',
    imap: server.url,
    smtp: sink.url,
    password: PASSWORD,
    allow: ['@example.org'],
    maxAnswers: 100_000,
  }
  const endpoint = { ...account, id: 'box', user: 'bot@example.net' }
  return {
    plugins: [
      { plugin: database as never, config: { file: join(folder, 'messages.sqlite') } },
      inbox as never,
      mailAdapter as never,
    ],
    endpoint,
    target,
    secrets: [PASSWORD],
    wrongSecret: { endpoint: { ...endpoint, password: 'not the password' }, names: 'password' },
    say: (text) => mails.say(text),
    redeliver: () => mails.again(),
    kill: () => server.kill(),
    restart: () => server.run(),
    sent: () => mails.sent(),
    reply: (text) => mails.reply(text),
    quoted: () => mails.quoted(),
    show: (picture) => mails.show(picture),
    media: () => mails.media(),
    refuse: (times) => sink.script('rcpt', ...Array.from({ length: times }, () => '550 5.7.1 forbidden')),
    swallow: (times) => sink.script('end', ...Array.from({ length: times }, () => 'close' as const)),
    mute: () => server.freeze(),
    second: () =>
      Promise.resolve({
        endpoint: { ...account, id: 'second', user: 'second@example.net' },
        target,
        say: (text) => server.drop('second', mail(text, { To: 'second@example.net' })),
        sent: () => mails.sentBySecond(),
      }),
    async stop() {
      await sink.stop()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
      sink.check()
    },
  }
}

adapterContract({ name: 'mail with dovecot', unavailable: whyNoDovecot, retains: true, start: rig })
