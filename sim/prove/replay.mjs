// Plays the history in which a defect was found, with the defect: `node --import register.mjs replay.mjs <defect>`.
import { readFileSync } from 'node:fs'
import { runHistory } from '../history/run.mjs'

const { default: defect } = await import(`./defects/${process.argv[2]}.mjs`)
const { plan } = JSON.parse(readFileSync(new URL(`../found/${defect.history}.json`, import.meta.url), 'utf8'))
const { findings } = await runHistory(plan)
for (const { sentence, text } of findings) console.log(`${sentence}: ${text}`)
process.exitCode = findings.some(({ sentence, text }) => defect.shows.test(`${sentence}: ${text}`)) ? 0 : 1
