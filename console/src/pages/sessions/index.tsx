// Agent sessions: the list, or one session by its key.
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { useTyped } from '../../kit/use-typed.js'
import { short } from '../../kit/when.js'
import { ago } from '../../lib/format.js'
import { currentLocale, t } from '../../lib/i18n.js'
import { useQuery } from '../../lib/router.js'
import { readStored, writeStored } from '../../lib/storage.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, PageHead, Table } from '../../ui/index.js'
import { Loaded, Section, Stale } from '../../ui/parts/index.js'
import { parseKeys, placeOf, rememberKey } from './model.js'
import './page.css'
import { SessionView } from './session.js'
import { p } from './texts.js'
import type { Sessions } from './wire.js'

const LIMIT = 50

/** The key of a conversation in words. */
function spoken(key: string): string {
  const { place, endpoint } = placeOf(key)
  return endpoint ? p('on', { place, endpoint }) : place
}

export function SessionsPage() {
  const query = useQuery({ key: '', epoch: '', filter: '' })
  const { key, epoch } = query.values
  const stored = `mynah_sessions:${host().base}`
  const [keys, setKeys] = useState(() => parseKeys(readStored(stored)))
  const open = (next: string, id = ''): void => query.set({ key: next.trim(), epoch: id })
  const remember = (found: string): void => {
    const next = rememberKey(keys, found)
    if (next[0] === keys[0]) return
    setKeys(next)
    writeStored(stored, JSON.stringify(next))
  }
  const box = <KeyBox key={key} value={key} keys={keys} onOpen={open} />
  if (key) return <SessionView key={`${key} ${epoch}`} sessionKey={key} epoch={epoch} box={box} onFound={remember} onOpen={open} />
  return <SessionList box={box} filter={query.values.filter} onFilter={(filter) => query.set({ filter }, { replace: true })} onOpen={open} />
}

/** The key as text, with the keys of this host that were looked at. */
function KeyBox({ value, keys, onOpen }: { readonly value: string; readonly keys: readonly string[]; readonly onOpen: (key: string) => void }) {
  const [text, setText] = useState(value)
  const recent = useResource<Sessions>('agent:sessions recent', (signal) => call('agent:sessions', { limit: 20 }, signal), 'agent:sessions')
  const offered = [...new Set([...keys, ...(recent.data?.sessions ?? []).map((row) => row.sessionKey)])]
  return (
    <form class="key-box" onSubmit={(event) => { event.preventDefault(); if (text.trim()) onOpen(text) }}>
      <label class="sr" for="session-key">{p('key')}</label>
      <div class="control"><input id="session-key" class="mono" list="session-keys" value={text} placeholder={p('keyHint')} autocomplete="off" spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} /></div>
      <datalist id="session-keys">{offered.map((item) => <option key={item} value={item} />)}</datalist>
      <Button type="submit" disabled={!text.trim() || text.trim() === value}>{p('open')}</Button>
    </form>
  )
}

interface ListProps { readonly box: preact.ComponentChildren; readonly filter: string; readonly onFilter: (filter: string) => void; readonly onOpen: (key: string, id?: string) => void }

function SessionList({ box, filter, onFilter, onOpen }: ListProps) {
  const [typed, setTyped] = useTyped(filter, onFilter)
  const { has } = useCatalogue()
  const sessions = useResource<Sessions>(`agent:sessions ${filter}`, (signal) => call('agent:sessions', { limit: LIMIT, ...(filter ? { filter } : {}) }, signal), 'agent:sessions')
  const locale = currentLocale()
  const now = Date.now()
  return (
    <>
      <PageHead title={t('page.sessions')} fact={<Stale resource={sessions} />} actions={<Button onClick={sessions.reload} title="r">{p('refresh')}</Button>} />
      <div class="row"><div class="grow">{box}</div></div>
      <Section title={p('recent')} fact={sessions.data ? p('recentFact', { total: sessions.data.total }) : undefined}>
        <div class="session-filter"><Field compact type="search" label={p('filter')} placeholder={p('filter')} value={typed} onInput={setTyped} /></div>
        <Loaded resource={sessions}>{({ sessions: rows }) => rows.length === 0
          ? <EmptyState title={filter ? t('list.noMatch', { filter }) : p('noSessions')} action={filter ? <Button onClick={() => setTyped('')}>{t('list.clear')}</Button> : undefined}>{filter ? undefined : p('noSessionsText')}</EmptyState>
          : <Table caption={p('recent')} rows={rows} rowKey={(row) => `${row.sessionKey} ${row.sessionId}`} columns={[
              { id: 'title', head: p('title'), rowHeader: true, cell: (row) => <span class="two"><a href={`/agent/sessions?key=${encodeURIComponent(row.sessionKey)}${row.state === 'archived' ? `&epoch=${encodeURIComponent(row.sessionId)}` : ''}`} onClick={(event) => { event.preventDefault(); onOpen(row.sessionKey, row.state === 'archived' ? row.sessionId : '') }}>{row.title || spoken(row.sessionKey)}</a><small><code>{row.sessionKey}</code></small></span> },
              { id: 'state', head: p('state'), wide: true, width: '100px', cell: (row) => <span class={row.state === 'archived' ? 'muted' : undefined}>{p(`state.${row.state}`)}</span> },
              { id: 'messages', head: p('messages'), numeric: true, wide: true, width: '90px', cell: (row) => row.messages },
              { id: 'tokens', head: p('tokens'), numeric: true, wide: true, width: '130px', cell: (row) => `${short(row.usage.input)} / ${short(row.usage.output)}` },
              { id: 'active', head: p('active'), numeric: true, width: '130px', cell: (row) => <span class="muted">{ago(row.lastActiveAt, now, locale)}</span> },
            ]} />}</Loaded>
        {has('agent:sessions') ? null : <p class="muted foot-note">{p('noSessionsText')}</p>}
      </Section>
    </>
  )
}
