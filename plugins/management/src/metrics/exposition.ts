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

/** Throws for names that Prometheus rejects. */
function assertNamed({ name, type, help }: Metric): void {
  if (!NAME.test(name)) throw new Error(`"${name}" is not a valid name of a metric`)
  if (help === '') throw new Error(`${name} has no help`)
  if ((type === 'counter') !== name.endsWith('_total'))
    throw new Error(`${name}: names of counters must end with _total, other names must not`)
}

/** Throws for reserved labels. */
function assertLabel(label: string, { name, type }: Metric): void {
  if (!NAME.test(label) || label.startsWith('__'))
    throw new Error(`"${label}" of ${name} is not a valid name of a label`)
  if (label === 'quantile' || (label === 'le' && type !== 'histogram'))
    throw new Error(`${name} may not have the label ${label}`)
}

async function textOf(metric: Metric): Promise<string> {
  assertNamed(metric)
  const collected = await metric.collect()
  const samples: readonly Sample[] = typeof collected === 'number' ? [{ value: collected }] : collected
  for (const { labels } of samples) for (const label of Object.keys(labels ?? {})) assertLabel(label, metric)
  const header = `# HELP ${metric.name} ${escapeHelp(metric.help)}\n# TYPE ${metric.name} ${metric.type}\n`
  return header + samples.map((sample) => lineOf(metric.name, sample)).join('')
}

/** Returns all metrics in the text format of Prometheus. A metric that fails is reported to its plugin and left out. */
export async function formatMetrics(reader: Reader<Metric>, host: HostControl): Promise<string> {
  const texts = await Promise.all(
    reader.all().map(async ({ value, owner }) => {
      try {
        return await textOf(value)
      } catch (error) {
        host.report(owner, new Error(`the metric "${value.name}" failed: ${messageOf(error)}`, { cause: error }))
        return ''
      }
    }),
  )
  return texts.join('')
}
