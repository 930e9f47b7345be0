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
    for (const sentence of new Set(result.findings.map((finding) => finding.sentence))) {
      const found = counts.get(sentence) ?? { times: 0, first: seed, text: result.findings.find((one) => one.sentence === sentence).text }
      found.times++
      counts.set(sentence, found)
    }
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${count} histories, ${events} events, ${seconds.toFixed(1)} s, ${((count / seconds) * 60).toFixed(0)} a minute`)
  for (const [sentence, { times, first, text }] of counts) console.log(`${times} × ${sentence}; first seed ${first}: ${text}`)
  return broken
}

process.exitCode = (values.seed ? await one(Number(values.seed)) : await many(Number(values.from), Number(values.seeds))) ? 1 : 0
