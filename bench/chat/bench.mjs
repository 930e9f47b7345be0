// `node bench/chat/bench.mjs [runs]`: a message from the adapter to the reply. Prints a JSON line for each case.
import { medians } from '../lib/series.mjs'

const worker = new URL('worker.mjs', import.meta.url)
const runs = Number(process.argv[2] ?? 5)
for (const count of [1, 200]) console.log(JSON.stringify(medians(worker, ['dispatch', count], runs)))
console.log(JSON.stringify(medians(worker, ['endpoints', 200], Math.min(runs, 3))))
