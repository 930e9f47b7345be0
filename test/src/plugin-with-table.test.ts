// Shows that the test of a plugin with a table stays away from the data of the host in the same folder.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type AnyPlugin, definePlugin } from '@mynah/kernel'
import database from '@mynah/plugin-database'
import { Database, entities, entity } from '@mynah/plugin-database/api'
import { commands, defineCommand } from '@mynah/plugin-chat/api'
import { startBot } from 'mynah/testing'

const Paid = entity<{ id: string }>({ package: 'till', name: 'paid', columns: { id: { type: 'text', primary: true } } })
const till = definePlugin({
  name: 'till',
  needs: { database: Database },
  setup(ctx) {
    ctx.contribute(entities, Paid)
    ctx.contribute(
      commands,
      defineCommand({
        name: 'pay',
        description: 'Pays',
        run: async ({ message }) => {
          await ctx.database.tx((db) => db.insert(Paid, { id: message.id }))
          return `${(await ctx.database.read((db) => db.find(Paid))).length} paid`
        },
      }),
    )
  },
})

describe('the test of a plugin with a table', () => {
  it('writes into a folder of its own, also two at once', async () => {
    const here = process.cwd()
    const project = await mkdtemp(join(tmpdir(), 'mynah-project-'))
    process.chdir(project)
    try {
      const bots = await Promise.all([1, 2].map(() => startBot([database as AnyPlugin, till])))
      for (const { say } of bots) expect(await say('/pay')).to.equal('1 paid')
      for (const { folder } of bots) expect(existsSync(join(folder, 'data')), folder).to.equal(true)
      expect(existsSync(join(project, 'data'))).to.equal(false)
      for (const { stop } of bots) await stop()
    } finally {
      process.chdir(here)
      await rm(project, { recursive: true })
    }
  })
})
