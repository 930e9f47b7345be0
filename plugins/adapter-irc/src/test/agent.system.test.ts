import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { HostPaths, type AnyPlugin, type Host } from '@mynah/kernel'
import { startHost } from '@mynah/kernel/testing'
import agent from '@mynah/plugin-agent'
import { scripted, scriptedModels } from '@mynah/plugin-ai/testing'
import chat from '@mynah/plugin-chat'
import { Chat } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import execSecurity from '@mynah/plugin-exec-security'
import inbox from '@mynah/plugin-inbox'
import toolbox from '@mynah/plugin-toolbox'
import adapterIrc from '../index.js'
import { KINDS } from './servers.js'
import { onStage } from './stage.js'
import { until } from '@mynah/kernel/testing'

const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
const COMMAND = 'touch made.txt && echo made'

async function startAgent(root: string, port: number): Promise<Host> {
  const models = scriptedModels(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? 'It is made.'
      : {
          calls: [
            { name: 'list_files', input: {} },
            { name: 'bash', input: { command: COMMAND } },
          ],
        },
  )
  const { host, log } = await startHost(
    [
      plain(database),
      plain(inbox),
      plain(scripted(models)),
      plain(adapterIrc),
      {
        plugin: plain(chat),
        config: {
          endpoints: [
            {
              adapter: 'irc',
              id: 'bot',
              host: '127.0.0.1',
              port,
              tls: false,
              nick: 'mynah',
              channels: ['#room'],
              pacing: { burst: 500, perSecond: 500 },
              master: 'boss',
              trusted: ['alice'],
            },
          ],
        },
      },
      {
        plugin: plain(agent),
        config: {
          'ai.agents': {},
          'ai.sessions': {},
          'ai.context': {},
          'ai.trigger': {},
          'ai.multimodal': {},
          'ai.agent': {},
        },
      },
      {
        plugin: plain(execSecurity),
        config: {
          'ai.agent.execSecurity': 'allowlist',
          'ai.agent.execApprovalMode': 'ask',
          'ai.agent.execPreset': 'readonly',
        },
      },
      { plugin: plain(toolbox), config: { 'ai.toolbox': {} } },
    ],
    { services: [[HostPaths, { root, data: join(root, 'data') }]] },
  )
  await until(
    () => host.get(Chat)?.online() === 1,
    () => `until the bot is online: ${JSON.stringify(log.slice(-3).map(({ message }) => message))}`,
  )
  return host
}

for (const kind of KINDS) {
  onStage('Agent', kind, {}, (stage) => {
    let root = ''
    let host: Host | undefined
    beforeEach(async () => {
      root = await mkdtemp(join(tmpdir(), 'mynah-irc-agent-'))
    })
    afterEach(async () => {
      await host?.stop()
      await rm(root, { recursive: true, force: true })
    })

    it('runs a command once after the owner approves it, also after a restart, and answers in its channel', async () => {
      const alice = await stage.user('alice', '#room')
      const boss = await stage.user('boss')
      host = await startAgent(root, stage.server.port)
      await alice.sees('mynah', '#room')
      alice.say('#room', 'nothing for the bot')
      alice.say('#room', 'mynah: make it')
      await until(
        () => boss.heard('mynah').some((text) => text.includes('/approve deny')),
        () => `for the request; boss has ${JSON.stringify(boss.heard('mynah'))}`,
      )
      await until(
        () => alice.heard('mynah').some((text) => text.includes('the owner, who was asked')),
        'for a word that the owner was asked',
      )
      const asked = boss.heard('mynah')
      const id = /\/approve ([0-9a-f]{10})/.exec(asked.join('\n'))?.[1]
      expect(alice.heard('mynah').join()).to.not.include(COMMAND)
      // Only the owner may approve, and not in the channel.
      alice.say('mynah', `/approve ${id}`)
      await until(
        () => alice.heard('mynah').some((text) => text.includes('This command is for my owner')),
        'for the refusal',
      )
      await host.stop()
      host = await startAgent(root, stage.server.port)
      await alice.sees('mynah', '#room')
      expect(await readdir(join(root, 'workspace'))).to.not.include('made.txt')
      boss.say('mynah', `/approve ${id}`)
      await until(
        () => alice.heard('mynah').some((text) => text.includes('It is made.')),
        () => `for the answer; alice has ${JSON.stringify(alice.heard('mynah'))}`,
      )
      expect(await readdir(join(root, 'workspace'))).to.include('made.txt')
      expect(
        alice.lines
          .filter(({ nick, params }) => nick === 'mynah' && params[1]?.includes('It is made.'))
          .map(({ params }) => params[0]),
      ).to.deep.equal(['#room'])
      expect(
        boss.heard('mynah').filter((text) => text.includes(COMMAND)),
        'asked once',
      ).to.have.length(asked.filter((text) => text.includes(COMMAND)).length)
    })
  })
}
