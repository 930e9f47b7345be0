// The parts of a host process that a fault kills, restarts or starves. Its options are one argument of JSON.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import chat from '@mynah/plugin-chat'
import { adapters, defineAdapter } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import { Database } from '@mynah/plugin-database/api'
import inbox from '@mynah/plugin-inbox'
import { Messages } from '../../plugins/inbox/dist/tables.js'
import { say } from './say.mjs'

export const options = JSON.parse(process.argv[2] ?? '{}')

export const die = () => process.kill(process.pid, 'SIGKILL')

/** Kills this process at one of the steps of its work. */
export class Steps {
  #step
  #isArmed

  /**
   * @param step name of the step, or `none`
   * @param isArmed whether to kill at a step that is reached now
   */
  constructor(step = 'none', isArmed = () => true) {
    this.#step = step
    this.#isArmed = isArmed
  }

  at(here) {
    if (here === this.#step && this.#isArmed()) die()
  }

  /** Makes steps of what is before and after the calls of a method that `counts`. */
  around(prototype, method, name, counts = () => true) {
    const steps = this
    const original = prototype[method]
    prototype[method] = async function (...parameters) {
      const isStep = counts(...parameters)
      if (isStep) steps.at(`before ${name}`)
      const result = await original.apply(this, parameters)
      if (isStep) steps.at(`after ${name}`)
      return result
    }
  }
}

/** Files with a value in each line, which survive a kill. */
export class Notes {
  #folder

  constructor(folder) {
    this.#folder = folder
  }

  add(name, value) {
    appendFileSync(join(this.#folder, name), `${JSON.stringify(value)}\n`)
  }

  all(name) {
    return this.text(name).map((line) => JSON.parse(line))
  }

  /** Returns the lines of a file that others write. */
  text(name) {
    const file = join(this.#folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  }
}

/** A platform with the account `one`, which repeats nothing by itself. */
export class Platform {
  account
  plugin

  /**
   * @param bot its functions: `send`, and `connect`, `edit`, `recall` where it has them
   * @param contribute contributes more in the name of its plugin
   */
  constructor({ connect, ...bot }, contribute = () => {}) {
    this.plugin = definePlugin({
      name: 'adapter-pipe',
      setup: (ctx) => {
        const create = (endpoint) => ({
          connect: async () => {
            this.account = endpoint
            return connect?.()
          },
          disconnect: () => Promise.resolve(),
          ...bot,
        })
        ctx.contribute(adapters, defineAdapter({ name: 'pipe', acknowledges: 'after-store', create }))
        contribute(ctx)
      },
    })
  }

  /** Delivers a private message. Rejects where the host does not accept it. */
  hear(id, person, content) {
    return this.account.receive({ id, channel: { type: 'private', id: person }, sender: { id: person }, content })
  }
}

/** Returns a new id of a sent message. */
export const newMessageId = () => `out-${process.pid}-${Math.random().toString(36).slice(2)}`

/**
 * Starts chat over a durable store. Resolves when the platform is connected and all plugins run.
 *
 * @param url address of PostgreSQL, else SQLite in the folder `data`
 * @param endpoint more options of the account
 */
export async function startChat({ folder, url, platform, endpoint = {}, plugins = [] }) {
  const host = createHost(
    [
      { plugin: database, config: url ? { type: 'postgres', url } : {} },
      { plugin: inbox },
      { plugin: platform.plugin },
      {
        plugin: chat,
        // The people of these tests answer at once, and are no automata.
        config: {
          endpoints: [{ adapter: 'pipe', id: 'one', ...endpoint }],
          dispatcher: { loop: { exchanges: 0 } },
        },
      },
      ...plugins,
    ],
    { services: [[HostPaths, { root: folder, data: join(folder, 'data') }]] },
  )
  process.on('SIGUSR2', () => void whatIsOpen(host).then((open) => process.stderr.write(`${open}\n`)))
  await host.start()
  while (!platform.account || host.inspect().some(({ state }) => state !== 'active')) await setTimeout(2)
  return host
}

const OPEN = ['received', 'handling', 'draft', 'intent', 'sending']

/** Returns whether messages are in progress. */
export const hasOpenRows = async (host) =>
  (await host.get(Database).read((db) => db.count(Messages, { state: { $in: OPEN } }))) > 0

/** Returns the rows of all messages. */
export const rowsOf = (host) => host.get(Database).read((db) => db.find(Messages, { limit: 100_000 }))

/** Says the row of each message as `row <direction> <state> <text>`. */
export async function sayRows(host) {
  for (const { direction, state, text } of await rowsOf(host)) say(`row ${direction} ${state} ${text}`)
}

const TABLES = {
  message:
    "direction, state, send_key, text, error, not_before FROM message WHERE state IN ('received', 'handling', 'draft', 'intent', 'sending')",
  agent_turn: 'id, state, stage, waiting, answer, starts, error FROM agent_turn WHERE ended_at IS NULL',
  agent_task: 'id, state, asked, requests FROM agent_task WHERE delivered_at IS NULL',
}

/** Returns what a host waits for: its open rows, its plugins that are not active, and what keeps its process. */
export async function whatIsOpen(host) {
  const rows = async (query) => {
    const read = host.get(Database).read((db) => db.query(`SELECT ${query}`))
    return Promise.race([read, setTimeout(2_000, 'no answer of the store')]).catch(({ message }) => message)
  }
  const open = {}
  for (const [table, query] of Object.entries(TABLES)) open[table] = await rows(query)
  open.plugins = host.inspect().filter(({ state }) => state !== 'active')
  open.resources = process.getActiveResourcesInfo()
  return `open: ${JSON.stringify(open)}`
}

/** Waits while something goes on, for some milliseconds at most. */
export async function whileBusy(isBusy, ms = 60_000) {
  const until = Date.now() + ms
  // Twice in a row: work moves between messages, turns and tasks.
  while (Date.now() < until && ((await isBusy()) || (await setTimeout(20).then(isBusy)))) await setTimeout(5)
}
