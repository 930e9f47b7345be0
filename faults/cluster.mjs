// Faults of three hosts that share a PostgreSQL, under load: nothing that was accepted is lost, nothing is said twice,
// and the places of a host that is gone are taken in time. `--rounds <n>` plays each fault n times.
import { setTimeout as pause } from 'node:timers/promises'
import { runIfMain } from './lib/lives.mjs'
import { seconds, ThreeHosts } from './lib/three-hosts.mjs'

const PER_SECOND = 20
/** Longest time until the places of a dead host are owned again, with a lease of 10 s. */
const TAKE_OVER_S = 15

/** Waits until the places of a host are those of others. */
const taken = (three, host) =>
  seconds(`the places of ${host.name} are taken`, async () => {
    const owners = await three.owners()
    return owners.length > 0 && !owners.includes(undefined) && !owners.includes(host.name)
  })

/** Each plays one round, and returns the seconds that it has measured and the most that they may be. */
const FAULTS = {
  'host and supervisor are killed': async (three, host) => {
    await host.kill()
    const measured = await taken(three, host)
    host.restart()
    return { measured, most: TAKE_OVER_S }
  },
  'only the process of a host is killed': async (three, host) => {
    const epoch = await three.epochOf(host)
    await host.signal('SIGKILL')
    // Busy machines take longer than a lease to start a process, so that others may take its places meanwhile.
    const measured = await seconds(
      'it lives again',
      async () => (await three.epochOf(host)) > epoch && three.isLive(host),
    )
    return { measured, most: Infinity }
  },
  'a host is stopped and continued': async (three, host) => {
    await host.signal('SIGSTOP')
    const measured = await taken(three, host)
    const epoch = await three.epochOf(host)
    await host.signal('SIGCONT')
    await seconds('it lives again', async () => (await three.epochOf(host)) > epoch && three.isLive(host))
    return { measured, most: TAKE_OVER_S }
  },
  'a host is cut off from the database': async (three, host) => {
    const proxy = three.proxyOf(host)
    proxy.silence()
    proxy.swallow()
    const measured = await taken(three, host)
    const epoch = await three.epochOf(host)
    proxy.restore()
    await seconds('it lives again', async () => (await three.epochOf(host)) > epoch && three.isLive(host))
    return { measured, most: TAKE_OVER_S }
  },
  'the database is killed, and back after 3 s': async (three) => {
    if (!three.server.own) return { measured: 0, most: Infinity }
    const before = await three.query('SELECT id, epoch FROM cluster_host ORDER BY id')
    await three.server.own.stop()
    await pause(3_000)
    await three.server.own.start()
    const measured = await seconds('all places are owned', async () => {
      const owners = await three.owners()
      return owners.length > 0 && !owners.includes(undefined)
    })
    const after = await three.query('SELECT id, epoch FROM cluster_host ORDER BY id')
    if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('a host was declared dead')
    return { measured, most: Infinity }
  },
  'the sessions of a host are ended': async (three, host) => {
    const epoch = await three.epochOf(host)
    await three.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity a JOIN cluster_host h
       ON a.application_name = 'mynah ' || h.id || ' ' || h.epoch WHERE h.name = $1`,
      [host.name],
    )
    const places = await three.countOf(host)
    await pause(5_000)
    if ((await three.epochOf(host)) !== epoch) throw new Error('it was declared dead')
    if ((await three.countOf(host)) < Math.min(1, places)) throw new Error('it has lost its places')
    return { measured: 0, most: Infinity }
  },
  'a host stops in order': async (three, host) => {
    host.running.child.kill('SIGTERM')
    const measured = await taken(three, host)
    await host.running.ended
    host.restart()
    return { measured, most: Infinity }
  },
  'an identity is used twice': async (three, host) => {
    const copy = await host.copy(three.url)
    if ((await copy.ended) !== 3) throw new Error('the second host was not refused')
    return { measured: 0, most: Infinity }
  },
}

/** Plays the rounds of one fault under load. */
async function play(name, rounds) {
  const three = await ThreeHosts.start()
  const times = []
  const wrong = []
  try {
    const loading = three.platform.load(three.hosts, PER_SECOND)
    for (let round = 0; round < rounds; round++) {
      await three.settled()
      const { measured, most } = await FAULTS[name](three, three.victim(round))
      times.push(measured)
      if (measured > most) wrong.push(`it took ${measured.toFixed(1)} s, more than ${most} s`)
    }
    await three.settled()
    const outcome = await three.wrong()
    await loading
    return { times, wrong: [...wrong, ...outcome.wrong], accepted: outcome.accepted, unknown: outcome.unknown }
  } catch (error) {
    return { times, wrong: [...wrong, error.message], accepted: three.platform.accepted.size, unknown: 0 }
  } finally {
    await three.remove()
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

/** Runs the rounds and prints one row for each fault. Returns a row for all of them. */
export async function run({ rounds = 3, only } = {}) {
  const all = []
  for (const name of Object.keys(FAULTS).filter((fault) => only === undefined || fault.includes(only))) {
    const { times, wrong, accepted, unknown } = await play(name, rounds)
    const parts = [
      `${accepted} accepted, ${accepted === 0 ? 'none' : wrong.length} wrong, ${unknown} shown as unknown or interrupted`,
      `${median(times).toFixed(1)} s in the middle, ${Math.max(0, ...times).toFixed(1)} s at most`,
      ...wrong.slice(0, 5),
    ].join('; ')
    const passed = wrong.length === 0 && accepted > 0
    console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name}, ${rounds} rounds: ${parts}`)
    all.push({ name, passed, accepted })
  }
  const failed = all.filter(({ passed }) => !passed).map(({ name }) => name)
  const accepted = all.reduce((sum, row) => sum + row.accepted, 0)
  const result = failed.length > 0 ? `failed: ${failed.join(', ')}` : `${accepted} accepted, 0 lost, 0 twice`
  return { fault: 'hosts that share a database', rounds, result, passed: failed.length === 0 && all.length > 0 }
}

await runIfMain(import.meta.url, run)
