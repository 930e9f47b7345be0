/** Latencies of a run, in milliseconds. */
export interface Quantiles {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Returns the quantiles of samples by the nearest rank, or undefined without samples. */
export function quantilesOf(samples: readonly number[]): Quantiles | undefined {
  const sorted = Float64Array.from(samples).sort()
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  if (sorted.length === 0) return undefined
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
