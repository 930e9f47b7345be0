// Measures in the process. Rates are per CPU second: on a shared machine, wall-clock rates measure other processes.
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let cpuTotal = 0
let wallTotal = 0

/** Returns the CPU milliseconds that `body` takes. */
export async function cost(body) {
  const wall = performance.now()
  const cpu = cpuMs()
  await body()
  const took = cpuMs() - cpu
  cpuTotal += took
  wallTotal += performance.now() - wall
  return took
}

/**
 * Returns the operations per CPU second of `body`, which does `batch` of them, after a warm-up. Both last for
 * milliseconds of CPU time: by the wall clock, a busy machine would warm it up less.
 */
export async function rate(body, { warm = 500, ms = 1500, batch = 1 } = {}) {
  for (const begin = cpuMs(); cpuMs() - begin < warm;) await body()
  let done = 0
  const took = await cost(async () => {
    const begin = cpuMs()
    do {
      await body()
      done += batch
    } while (cpuMs() - begin < ms)
  })
  return Math.round((done / took) * 1000)
}

/** Returns the live heap in bytes after full collections. */
export function heap() {
  if (!globalThis.gc) throw new Error('run with --expose-gc')
  for (let i = 0; i < 3; i++) globalThis.gc()
  return process.memoryUsage().heapUsed
}

/** Returns cycles per CPU second and the growth of the live heap for each cycle, which should be zero. */
export async function churn(cycle, cycles, warm) {
  for (let i = 0; i < warm; i++) await cycle(i)
  const marks = [heap()]
  let took = 0
  for (let quarter = 0; quarter < 4; quarter++) {
    took += await cost(async () => {
      for (let i = 0; i < cycles / 4; i++) await cycle(i)
    })
    marks.push(heap())
  }
  return {
    cycles,
    cycles_per_s: Math.round((cycles / took) * 1000),
    heap_mb: marks.map((bytes) => +(bytes / 2 ** 20).toFixed(3)),
    leak_bytes_per_cycle: Math.round((marks.at(-1) - marks[0]) / cycles),
  }
}

/** Prints one JSON line; `cpu_share` is CPU time over wall time and shows how busy the machine was. */
export function report(name, fields) {
  const share = wallTotal ? { cpu_share: +(cpuTotal / wallTotal).toFixed(2) } : {}
  process.stdout.write(`${JSON.stringify({ case: name, ...fields, ...share })}\n`)
}
