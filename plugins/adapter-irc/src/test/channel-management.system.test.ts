import { expect } from 'chai'
import { fastClock, room, type RunningBot } from './bot.js'
import { KINDS } from './servers.js'
import { onStage } from './stage.js'
import { until } from '@mynah/kernel/testing'
import type { User } from './user.js'

const settled = (promise: Promise<unknown> | undefined): Promise<string> =>
  (promise as Promise<unknown>).then(
    () => 'done',
    (error: Error) => error.message,
  )

for (const kind of KINDS) {
  onStage('Channel management', kind, {}, (stage) => {
    async function scene(): Promise<{ bot: RunningBot; owner: User; alice: User }> {
      const owner = await stage.user('owner', '#room')
      const alice = await stage.user('alice', '#room')
      return { owner, alice, bot: await stage.bot() }
    }

    it('lists channels, and members with their current roles', async () => {
      const { bot, owner, alice } = await scene()
      expect(await bot.account.groups?.()).to.deep.equal([{ id: '#room', name: '#room', memberCount: 3 }])
      const roles = async (): Promise<string> =>
        ((await bot.account.groupMembers?.('#room')) ?? [])
          .map(({ id, role }) => `${id} ${role}`)
          .sort()
          .join(', ')
      expect(await roles()).to.equal('alice member, mynah member, owner admin')
      owner.raw('MODE #room +o alice')
      await until(
        async () => (await roles()) === 'alice admin, mynah member, owner admin',
        'until alice is an operator',
      )
      alice.raw('NICK alicia')
      await until(
        async () => (await roles()) === 'alicia admin, mynah member, owner admin',
        'until she has her new name',
      )
      owner.raw('MODE #room -o alicia')
      await until(async () => (await roles()) === 'alicia member, mynah member, owner admin', 'until she is none')
      await stage.user('carol', '#room')
      await until(async () => (await roles()).includes('carol member'), 'until carol is there')
      await alice.leave()
      await until(async () => (await roles()) === 'carol member, mynah member, owner admin', 'until alicia is gone')
      expect(bot.notices.map(({ kind: what, target }) => `${what} ${target?.id}`)).to.deep.equal([
        'group-admin alice',
        'group-admin alicia',
        'group-join carol',
        'group-leave alicia',
      ])
      expect(await settled(bot.account.groupMembers?.('#elsewhere'))).to.contain('not in the channel')
    })

    it('reports the role of a sender', async () => {
      const { bot, owner, alice } = await scene()
      owner.say('#room', 'from above')
      await until(() => bot.heard.length === 1, 'for the owner')
      alice.say('#room', 'from below')
      await until(() => bot.heard.length === 2, 'for alice')
      expect(bot.heard.map(({ roles }) => roles.has('group_admin'))).to.deep.equal([true, false])
    })

    it('kicks and promotes members, and reports missing permissions', async () => {
      const { bot, owner, alice } = await scene()
      expect(await settled(bot.account.groupKick?.('#room', 'alice'))).to.match(/^The server refuses: ./)
      expect(await settled(bot.account.groupAdmin?.('#room', 'alice', true))).to.match(/^The server refuses: ./)
      expect(await settled(bot.account.groupKick?.('#room', 'missing'))).to.contain('No "missing"')
      expect(await settled(bot.account.groupKick?.('#room', 'alice\r\nQUIT'))).to.contain('no name on IRC')
      owner.raw('MODE #room +o mynah')
      await until(
        async () => (await bot.account.groupMembers?.('#room'))?.find(({ id }) => id === 'mynah')?.role === 'admin',
        'until the bot is an operator',
      )
      expect(await settled(bot.account.groupAdmin?.('#room', 'alice', true))).to.equal('done')
      await alice.gets(
        ({ command, params }) => command === 'MODE' && params[1] === '+o' && params[2] === 'alice',
        'her rank',
      )
      expect(await settled(bot.account.groupAdmin?.('#room', 'alice', true)), 'twice').to.equal('done')
      expect(await settled(bot.account.groupKick?.('#room', 'alice'))).to.equal('done')
      await alice.gets(({ command, params }) => command === 'KICK' && params[1] === 'alice', 'the kick')
      expect((await bot.account.groupMembers?.('#room'))?.map(({ id }) => id)).to.not.include('alice')
    })

    it('joins again after a kick, unless the configuration forbids it', async () => {
      const owner = await stage.user('owner', '#room')
      const bot = await stage.bot({ rejoin: 0.1 })
      for (let round = 0; round < 2; round++) {
        await until(async () => (await bot.account.groups?.())?.length === 1, 'until the bot is there')
        owner.lines.length = 0
        owner.raw('KICK #room mynah :out')
        await owner.gets(({ command, nick }) => command === 'JOIN' && nick === 'mynah', 'its return')
      }
      expect(bot.log.some(({ message }) => message.includes('kicked from #room by owner: out'))).to.equal(true)
      await until(async () => (await bot.account.groups?.())?.length === 1, 'until the bot is there')
      await bot.send(room(), 'back')
      await bot.stop()
      const shy = await stage.bot({ rejoin: 0 })
      owner.raw('KICK #room mynah :out')
      await until(async () => (await shy.account.groups?.())?.length === 0, 'until it is out')
      expect(await settled(shy.send(room(), 'hello'))).to.contain('not in the channel')
    })

    it('goes online without a channel that refuses it, and joins the channel later', async () => {
      const owner = await stage.user('owner', '#closed')
      owner.raw('MODE #closed +k secret')
      await owner.gets(({ command, params }) => command === 'MODE' && params[1] === '+k', 'the key')
      const bot = await stage.bot({ channels: ['#room', '#closed'] }, { clock: fastClock })
      expect((await bot.account.groups?.())?.map(({ id }) => id)).to.deep.equal(['#room'])
      expect(bot.log.some(({ message }) => message.startsWith('failed to join #closed'))).to.equal(true)
      owner.raw('MODE #closed -k secret')
      await owner.sees('mynah', '#closed')
      owner.raw('MODE #closed +k secret')
      await bot.stop()
      const keyed = await stage.bot({ channels: ['#closed secret'] })
      expect((await keyed.account.groups?.())?.map(({ id }) => id)).to.deep.equal(['#closed'])
    })

    it('joins a channel after its invitation is approved', async () => {
      const owner = await stage.user('owner', '#party')
      const bot = await stage.bot()
      for (let round = 0; round < 3; round++) owner.raw('INVITE mynah #party')
      await until(() => bot.requests.length === 1, 'for the invitation')
      expect(bot.requests[0]).to.deep.include({
        kind: 'group-invite',
        channel: { type: 'group', id: '#party', name: '#party' },
      })
      expect(bot.requests[0]?.sender.id).to.equal('owner')
      await bot.account.requestApprove?.(bot.requests[0]?.id ?? '')
      await owner.sees('mynah', '#party')
      await bot.send(room('#party'), 'hello')
      expect(bot.requests.length, 'asked three times').to.equal(1)
    })
  })
}
