import type { LogLevel } from '@mynah/contract/types'
import { clockMillis } from '../../kit/time-format.js'
import type { LogRow } from './log-buffer.js'
import { t } from './texts.js'

const letters: Readonly<Record<LogLevel, string>> = { error: 'E', warn: 'W', info: 'I', debug: 'D' }

export function LogLine({
  row,
  locale,
  plugin,
  host,
  needle,
}: {
  readonly row: LogRow
  readonly locale: string
  readonly plugin: boolean
  readonly host: boolean
  readonly needle: string
}) {
  const { entry } = row
  return (
    <>
      <time>{clockMillis(row.at, locale)}</time>
      <b class="letter">{letters[entry.level]}</b>
      {host ? <span class="host-name">{entry.host ?? '–'}</span> : null}
      {plugin ? <span class="who">{entry.name}</span> : null}
      <span class="text">
        <Marked text={entry.message.slice(0, 400)} needle={needle} />
      </span>
      {row.count > 1 ? <small class="times">{t('times', { count: row.count })}</small> : null}
    </>
  )
}

function Marked({ text, needle }: { readonly text: string; readonly needle: string }) {
  const at = needle ? text.toLowerCase().indexOf(needle.toLowerCase()) : -1
  return at < 0 ? (
    <>{text}</>
  ) : (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + needle.length)}</mark>
      {text.slice(at + needle.length)}
    </>
  )
}
