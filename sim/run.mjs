// `npm run sim`: plays histories of a host under a virtual clock. See README.md.
import { parseArgs } from 'node:util'
import { planOf } from './history/plan.mjs'
import { runHistory } from './history/run.mjs'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})

async function one(seed) {
  const { lines, findings, digest, events } = await runHistory({ ...planOf(seed), verbose: true })
  for (const line of lines) console.log(line)
  for (const { sentence, text } of findings) console.log(`BROKEN: ${sentence}: ${text}`)
  console.log(`digest ${digest}, ${events} events`)
  return findings.length
}

async function many(from, count) {
  const counts = new Map()
  let broken = 0
  const startedAt = performance.now()
  let events = 0
  for (let seed = from; seed < from + count; seed++) {
    const result = await runHistory(planOf(seed))
    events += result.events
    if (result.findings.length === 0) continue
    broken++
    for (const { sentence, text } of result.findings) {
      const kind = `${sentence}: ${text.replace(/\b[0-9a-z]{20}\b/g, '…').replace(/\b[a-z]\d+\b/g, 'N').replace(/"[^"]*"/g, '"…"').replace(/\d+/g, '#')}`
      const found = counts.get(kind) ?? { times: 0, first: seed, text }
      found.times++
      counts.set(kind, found)
    }
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${count} histories, ${events} events, ${seconds.toFixed(1)} s, ${((count / seconds) * 60).toFixed(0)} a minute`)
  for (const [kind, { times, first }] of [...counts].sort(([, one], [, other]) => other.times - one.times))
    console.log(`${String(times).padStart(5)} × ${kind} (seed ${first})`)
  return broken
}

process.exitCode = (values.seed ? await one(Number(values.seed)) : await many(Number(values.from), Number(values.seeds))) ? 1 : 0
