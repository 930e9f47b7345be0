import type { LogEntry } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { clockMillis, clockSeconds, dayOf } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Copy, Facts, Icon } from '../../ui/index.js'
import { lineOf, type LogRow } from './log-buffer.js'
import { t } from './texts.js'

interface RecordProps {
  readonly row: LogRow
  readonly onClose: () => void
  readonly onOnly: (name: string) => void
  readonly onShowAt: (at: number) => void
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Shows a field, as a link if it names an item with a page. */
function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const shown = text(value)
  if (name === 'messageId' || name === 'message')
    return <a href={`/traces?message=${encodeURIComponent(shown)}`}>{shown}</a>
  if (name === 'endpoint' || name === 'endpointId')
    return <a href={`/endpoints?filter=${encodeURIComponent(shown)}`}>{shown}</a>
  return <code>{shown}</code>
}

export function LogRecord({ row, onClose, onOnly, onShowAt }: RecordProps) {
  const { entry } = row
  const locale = currentLocale()
  const around = useResource<LogEntry[]>(
    `GET /logs around ${entry.id}`,
    (signal) =>
      host().rest('GET /logs', {
        query: { limit: 4, before: entry.id, ...(entry.host ? { host: entry.host } : {}) },
        signal,
      }),
    'GET /logs',
  )
  const fields = Object.entries(entry.fields ?? {})
  return (
    <section class="record" aria-label={`${t(`level.${entry.level}`)} ${clockMillis(row.at, locale)}`}>
      <header>
        <b>{t(`level.${entry.level}`)}</b>
        <span class="muted grow">{clockMillis(row.at, locale)}</span>
        <Copy text={lineOf(entry)} label={t('copyLine')} />
        <button type="button" class="icon-button" aria-label={t('close')} title="Esc" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="inner">
        <pre class={`said ${entry.level}`} tabIndex={0}>
          {entry.message}
        </pre>
        <Facts
          facts={[
            { label: t('pluginName'), value: <a href={`/plugins/${encodeURIComponent(entry.name)}`}>{entry.name}</a> },
            { label: t('host'), value: entry.host },
            { label: t('source'), value: entry.source === entry.name ? undefined : entry.source },
            { label: t('at'), value: `${dayOf(row.at, locale)} ${clockMillis(row.at, locale)}` },
            {
              label: t('first'),
              value:
                row.count > 1
                  ? `${dayOf(row.firstAt, locale)} ${clockMillis(row.firstAt, locale)} (${t('times', { count: row.count })})`
                  : undefined,
            },
            { label: t('row'), value: <code>{entry.id}</code> },
          ]}
        />
        {fields.length > 0 ? (
          <>
            <h3>{t('fields')}</h3>
            <Facts
              mono
              facts={fields.map(([name, value]) => ({ label: name, value: <FieldValue name={name} value={value} /> }))}
            />
          </>
        ) : null}
        {around.data && around.data.length > 0 ? (
          <>
            <h3>{t('around')}</h3>
            <ul class="around">
              {[entry, ...around.data].map((item) => (
                <li key={item.id} class={item.id === entry.id ? 'this' : undefined}>
                  <time>{clockSeconds(Date.parse(item.timestamp), locale)}</time>
                  <span>
                    {item.name}: {item.message}
                  </span>
                </li>
              ))}
            </ul>
          </>
        ) : null}
        <p class="row">
          <Button onClick={() => onOnly(entry.name)}>{t('only', { name: entry.name })}</Button>
          <Button onClick={() => onShowAt(row.at)}>{t('showAt')}</Button>
        </p>
      </div>
    </section>
  )
}
