import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import type { SandboxMessage } from '@mynah/contract/types'
import chat from '@mynah/plugin-chat'
import { Chat } from '@mynah/plugin-chat/api'
import { publish } from '@mynah/plugin-events/api'
import sandbox from './index.js'

describe('Edits of the sandbox', () => {
  it('replace a message at its position', async () => {
    const said: SandboxMessage[] = []
    let messages = 0
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) => {
        ctx.on(publish, ({ type, data }) => {
          if (type === 'sandbox:message') said.push(data as SandboxMessage)
          if (type === 'endpoint:message') messages++
        })
      },
    })
    const { host } = await startHost([
      listener as unknown as AnyPlugin,
      sandbox as unknown as AnyPlugin,
      { plugin: chat as unknown as AnyPlugin, config: { endpoints: [{ adapter: 'sandbox', id: 'bot' }] } },
    ])
    try {
      const service = host.get(Chat) as Chat
      await until(() => service.online() > 0)
      expect((await service.list())[0]?.capabilities).to.include('edit')
      const draft = await service.draft('sandbox', 'bot', { type: 'private', id: 'ann' }, { key: 'turn/1' })
      draft?.update('Hel')
      await until(() => said.length > 0)
      const receipt = await draft?.end('Hello')
      expect(said.map(({ messageId, text, edited }) => [messageId === receipt?.messageId, text, edited])).to.deep.equal(
        [
          [true, 'Hel', undefined],
          [true, 'Hello', true],
        ],
      )
      expect(messages).to.equal(1)
    } finally {
      await host.stop()
    }
  })
})
