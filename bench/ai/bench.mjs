// `node bench/ai/bench.mjs [runs]`: the agent loop and that of the AI SDK, with a model that answers at once.
import { medians } from '../lib/series.mjs'

const worker = new URL('worker.mjs', import.meta.url)
const runs = Number(process.argv[2] ?? 3)
for (const subject of ['loop', 'models', 'streamText', 'generateText'])
  console.log(JSON.stringify(medians(worker, [subject], runs)))
for (const subject of ['import', 'memory']) console.log(JSON.stringify(medians(worker, [subject], runs)))
