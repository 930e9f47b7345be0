// The text that Prometheus reads.
import { messageOf, type HostControl, type Reader } from '@mynah/kernel'
import type { Metric, Sample } from '../api.js'

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

function numberOf(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}

function lineOf(name: string, { value, labels, suffix = '' }: Sample): string {
  const pairs = Object.entries(labels ?? {}).map(([key, text]) => `${key}="${escapeLabel(text)}"`)
  return `${name}${suffix}${pairs.length ? `{${pairs.join(',')}}` : ''} ${numberOf(value)}\n`
}

function textOf(metric: Metric): string {
  if (!NAME.test(metric.name)) throw new Error(`"${metric.name}" is no name of a metric`)
  const collected = metric.collect()
  const samples: readonly Sample[] = typeof collected === 'number' ? [{ value: collected }] : collected
  for (const { labels } of samples) for (const label of Object.keys(labels ?? {})) if (!NAME.test(label)) throw new Error(`"${label}" of ${metric.name} is no name of a label`)
  return `# HELP ${metric.name} ${escapeHelp(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n${samples.map((sample) => lineOf(metric.name, sample)).join('')}`
}

/** All metrics; one that fails is reported to its plugin and left out. */
export function exposition(reader: Reader<Metric>, host: HostControl): string {
  let text = ''
  for (const { value, owner } of reader.all()) {
    try {
      text += textOf(value)
    } catch (error) {
      host.report(owner, new Error(`the metric "${value.name}" failed: ${messageOf(error)}`, { cause: error }))
    }
  }
  return text
}
