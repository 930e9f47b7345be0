// Tickets in a table of the database. The page "Database" of the console shows them.
import { commands, defineCommand, definePlugin, param } from 'mynah'
import { Database, entities, entity } from '@mynah/plugin-database/api'

const Tickets = entity({
  package: 'helpdesk',
  name: 'ticket',
  columns: {
    id: { type: 'integer', primary: true },
    from: { type: 'text' },
    text: { type: 'text' },
    state: { type: 'text', default: 'open' },
  },
})

export default definePlugin({
  name: 'helpdesk',
  needs: { database: Database },
  setup(ctx) {
    ctx.contribute(entities, Tickets)

    /** Numbers are given in a transaction: no two tickets get the same. */
    const open = (from, text) =>
      ctx.database.tx(async (db) => {
        const [last] = await db.find(Tickets, { order: { id: 'desc' }, limit: 1 })
        const id = (last?.id ?? 0) + 1
        await db.insert(Tickets, { id, from, text, state: 'open' })
        return id
      })

    const add = (name, description, args, run, roles) =>
      ctx.contribute(commands, defineCommand({ name, description, args, run, ...(roles ? { roles } : {}) }))

    add('ticket open', 'Opens a ticket', { text: param.rest() }, async ({ args, message }) => {
      return `Ticket ${await open(message.sender.id, args.text)} is open.`
    })
    add('ticket list', 'Lists open tickets', {}, async () => {
      const found = await ctx.database.read((db) => db.find(Tickets, { where: { state: 'open' }, limit: 20 }))
      return found.map(({ id, from, text }) => `${id} ${from}: ${text}`).join('\n') || 'No ticket is open.'
    })
    add('ticket close', 'Closes a ticket', { id: param.integer() }, async ({ args }) => {
      const [isClosed] = await ctx.database.change(Tickets, [{ id: args.id, state: 'closed' }], [], { state: 'open' })
      return isClosed ? `Ticket ${args.id} is closed.` : `There is no open ticket ${args.id}.`
    })
  },
})
