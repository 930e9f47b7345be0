// `node bench/agent/bench.mjs [runs]`: whole turns through chat, with a model that answers at once. Prints JSON lines.
import { medians } from '../lib/series.mjs'

const worker = new URL('worker.mjs', import.meta.url)
const runs = Number(process.argv[2] ?? 3)
for (const name of ['memory', 'sqlite', 'view']) console.log(JSON.stringify(medians(worker, [name], runs)))
