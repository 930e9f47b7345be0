// Three hosts that share a PostgreSQL, with a platform outside that sends them messages and takes their answers.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../plugins/database/dist/testing/postgres-server.js'
import { startProxy } from '../../plugins/database/dist/testing/tcp-proxy.js'
import { sign } from '../../plugins/adapter-webhook/dist/signature.js'
import { ClusterHost } from '../../test/dist/cluster-host.js'

const SECRET = 'a-secret-of-the-platform-outside'
const NAMES = ['one', 'two', 'three']
const ENDPOINTS = Array.from({ length: 12 }, (_, index) => `e${index}`)
const LEASE_S = 10
/** Longest time that anything here is waited for. */
const LIMIT_MS = 180_000
const STEP_MS = 50

/** Waits until a condition holds. Returns the seconds. */
export async function seconds(what, condition) {
  const began = performance.now()
  while (!(await condition())) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`it did not happen in time: ${what}`)
    await pause(STEP_MS)
  }
  return (performance.now() - began) / 1000
}

/** The platform outside: an HTTP peer of the endpoints. It sends a message again until a host has accepted it. */
class Platform {
  accepted = new Set()
  /** Ids of the deliveries that answer a message. */
  answers = new Map()
  #server
  #sending = false
  #next = 0
  #open = new Set()

  static async start() {
    const platform = new Platform()
    platform.#server = createServer((request, response) => platform.#take(request, response))
    await new Promise((resolve) => platform.#server.listen(0, '127.0.0.1', resolve))
    return platform
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/`
  }

  async #take(request, response) {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, replyTo } = JSON.parse(Buffer.concat(chunks).toString())
    if (replyTo !== undefined) this.answers.set(replyTo, (this.answers.get(replyTo) ?? new Set()).add(id))
    response.end('{}')
  }

  /** Sends messages to any of the hosts until it is stopped. */
  async load(hosts, perSecond) {
    this.#sending = true
    while (this.#sending) {
      const sent = this.#send(`m${this.#next++}`, hosts).finally(() => this.#open.delete(sent))
      this.#open.add(sent)
      await pause(1000 / perSecond)
    }
  }

  async quiet() {
    this.#sending = false
    await Promise.all(this.#open)
  }

  async #send(id, hosts) {
    const endpoint = ENDPOINTS[this.#next % ENDPOINTS.length]
    for (let tries = this.#next; ; tries++) {
      const host = hosts[tries % hosts.length]
      if (await this.#post(id, endpoint, host.base)) return this.accepted.add(id)
      await pause(100)
    }
  }

  async #post(id, endpoint, base) {
    const channel = { type: 'group', id: 'lobby' }
    const body = JSON.stringify({ id, channel, sender: { id: 'ann' }, content: '/help' })
    try {
      const response = await fetch(`${base}/webhook/chat/${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sign(SECRET, body) },
        body,
        signal: AbortSignal.timeout(5_000),
      })
      await response.arrayBuffer()
      return response.status === 202
    } catch {
      return false
    }
  }

  async close() {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** Three hosts with twelve endpoints, each with a proxy of its own to the database. */
export class ThreeHosts {
  hosts = []
  proxies = []
  server
  platform
  #url

  static async start() {
    const three = new ThreeHosts()
    three.server = await startPostgres()
    three.#url = await three.server.create()
    three.platform = await Platform.start()
    const endpoints = ENDPOINTS.map(
      (id) => `{ adapter: webhook, id: ${id}, secret: ${SECRET}, url: "${three.platform.url}" }`,
    )
    for (const name of NAMES) {
      const proxy = await startProxy(three.#url)
      three.proxies.push(proxy)
      const options = { lease: `${LEASE_S}s`, plugins: ['adapter-webhook'], endpoints }
      three.hosts.push(await ClusterHost.start(name, proxy.through(three.#url), options))
    }
    await three.settled()
    return three
  }

  /** The address of the database, not through a proxy. */
  get url() {
    return this.#url
  }

  async query(sql, parameters = []) {
    const client = new pg.Client(this.#url)
    await client.connect()
    try {
      return (await client.query(sql, parameters)).rows
    } finally {
      await client.end()
    }
  }

  /** The names of the hosts that own places, each as often as it owns one; undefined for a free one. */
  async owners() {
    const rows = await this.query(
      `SELECT h.name FROM cluster_place p LEFT JOIN cluster_host h ON h.id = split_part(p.host, ':', 1)
       AND h.epoch::text = split_part(p.host, ':', 2) AND h.state = 'live'`,
    ).catch(() => [])
    return rows.map(({ name }) => name ?? undefined)
  }

  async countOf(host) {
    return (await this.owners()).filter((name) => name === host.name).length
  }

  async isLive(host) {
    const rows = await this.query(`SELECT 1 FROM cluster_host WHERE name = $1 AND state = 'live'`, [host.name])
    return rows.length > 0
  }

  async epochOf(host) {
    return Number((await this.query('SELECT epoch FROM cluster_host WHERE name = $1', [host.name]))[0]?.epoch)
  }

  /** Waits until all hosts live and share the places. Falls of earlier rounds do not count. */
  async settled() {
    await seconds('all hosts share the places', async () => {
      const owners = await this.owners()
      return owners.length > ENDPOINTS.length && NAMES.every((name) => owners.includes(name)) && !owners.includes()
    })
    await this.query('UPDATE cluster_place SET falls = 0, fell_at = NULL')
  }

  /** A host with places, another one each time. */
  victim(round) {
    return this.hosts[round % this.hosts.length]
  }

  proxyOf(host) {
    return this.proxies[this.hosts.indexOf(host)]
  }

  /** Ends the load. Returns what was lost, said twice, or left open. */
  async wrong() {
    await this.platform.quiet()
    await seconds('nothing is open', async () => {
      const [row] = await this.query(
        `SELECT count(*) AS open FROM message WHERE state IN ('received', 'handling', 'intent', 'sending', 'draft')`,
      )
      return Number(row.open) === 0
    })
    const rows = await this.query(
      `SELECT i.inbound_id AS id, i.state, o.state AS answer FROM message i
       LEFT JOIN message o ON o.answers = i.id WHERE i.direction = 'in'`,
    )
    const known = new Map(rows.map((row) => [row.id, row]))
    const wrong = []
    let unknown = 0
    for (const id of this.platform.accepted) {
      const row = known.get(id)
      const said = this.platform.answers.get(id)?.size ?? 0
      if (said > 1) wrong.push(`${id} was answered twice`)
      if (!row) wrong.push(`${id} is gone`)
      else if (said === 0 && (row.state !== 'handled' || row.answer === 'unknown' || row.answer === 'failed')) unknown++
      else if (said === 0) wrong.push(`${id} is ${row.state}, and was not answered`)
    }
    return { wrong, accepted: this.platform.accepted.size, unknown }
  }

  async remove() {
    await this.platform?.quiet()
    for (const host of this.hosts) await host.remove()
    for (const proxy of this.proxies) await proxy.close()
    await this.platform?.close()
    if (this.#url) await this.server.drop(this.#url)
  }
}
