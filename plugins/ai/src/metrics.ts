// The models in the terms of Prometheus.
import type { Metric, Sample } from '@mynah/plugin-management/api'
import type { ProviderView } from './api/models.js'
import type { Counters, Sums } from './counters.js'

/** The values that the metrics read. */
export interface Measured {
  readonly counters: Counters
  readonly cooling: number
  list(): readonly ProviderView[]
}

/** Returns all metrics of the plugin. */
export function modelMetrics(measured: Measured): Metric[] {
  const each = (value: (sums: Sums) => readonly Omit<Sample, 'suffix'>[]) => (): Sample[] =>
    measured.counters.all().flatMap((sums) =>
      value(sums).map((sample) => ({
        ...sample,
        labels: { provider: sums.provider, model: sums.model, ...sample.labels },
      })),
    )
  return [
    {
      name: 'ai_calls_total',
      help: 'Calls that a provider has answered',
      type: 'counter',
      collect: each(({ calls }) => Array.from(calls, ([kind, value]) => ({ value, labels: { kind } }))),
    },
    {
      name: 'ai_failures_total',
      help: 'Attempts that failed, by class',
      type: 'counter',
      collect: each(({ failures }) => Array.from(failures, ([reason, value]) => ({ value, labels: { reason } }))),
    },
    {
      name: 'ai_tokens_total',
      help: 'Tokens, by direction; cached ones are input too',
      type: 'counter',
      collect: each(({ input, cachedInput, output }) => [
        { value: input, labels: { direction: 'input' } },
        { value: cachedInput, labels: { direction: 'cached' } },
        { value: output, labels: { direction: 'output' } },
      ]),
    },
    {
      name: 'ai_cached_input_ratio',
      help: 'Share of the input that came from a cache',
      type: 'gauge',
      collect: each(({ input, cachedInput }) => (input ? [{ value: cachedInput / input }] : [])),
    },
    {
      name: 'ai_cost_total',
      help: 'Costs of calls whose prices are known',
      type: 'counter',
      collect: each(({ cost }) => (cost ? [{ value: cost }] : [])),
    },
    {
      name: 'ai_fallbacks_total',
      help: 'Changes to another model',
      type: 'counter',
      collect: () => measured.counters.fallbacks,
    },
    {
      name: 'mynah_models',
      help: 'Known models, by whether they may be asked now',
      type: 'gauge',
      collect: () =>
        measured.list().flatMap(({ alias, models }) => {
          const cooling = models.filter(({ cooldownReason }) => cooldownReason !== undefined).length
          return [
            { value: models.length - cooling, labels: { provider: alias, state: 'ready' } },
            { value: cooling, labels: { provider: alias, state: 'cooling' } },
          ]
        }),
    },
    {
      name: 'ai_cooldowns',
      help: 'Models and providers that are left alone now',
      type: 'gauge',
      collect: () => measured.cooling,
    },
  ]
}
