import { startPostgres, whyNoPostgres } from '../../plugins/database/dist/testing/postgres-server.js'

let server

/** The databases of hosts. Each is empty at first. */
const DATABASES = {
  sqlite: async (work) => work({}),
  async postgres(work) {
    server ??= await startPostgres()
    const url = await server.create()
    try {
      return await work({ url })
    } finally {
      await server.drop(url)
    }
  },
}

/**
 * Runs rounds on each database that is wanted and exists here.
 *
 * @param round gets the number of the round and the options of the database for a host; returns what was `wrong`, and
 * what it has counted
 */
export async function onDatabases({ rounds, databases = Object.keys(DATABASES) }, round) {
  const missing = databases.includes('postgres') ? await whyNoPostgres() : undefined
  const used = databases.filter((name) => name !== 'postgres' || missing === undefined)
  const wrong = []
  const sums = {}
  for (const name of used) {
    for (let number = 0; number < rounds; number++) {
      const result = await DATABASES[name]((options) => round(number, options))
      wrong.push(...result.wrong.map((what) => `${name}: ${what}`))
      for (const [what, count] of Object.entries(result.counts)) sums[what] = (sums[what] ?? 0) + count
    }
  }
  const figures = Object.entries(sums).map(([what, count]) => `${count} ${what}`)
  return { wrong, figures: figures.join(', '), where: [...used, ...(missing ? [missing] : [])].join(' and ') }
}
