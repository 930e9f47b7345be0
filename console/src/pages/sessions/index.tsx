import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { useQuery } from '../../lib/router.js'
import { readStored, writeStored } from '../../lib/storage.js'
import { useResource } from '../../lib/use-resource.js'
import { Button } from '../../ui/index.js'
import { SessionList } from './session-list.js'
import { parseKeys, rememberKey } from './model.js'
import './page.css'
import { SessionView } from './session-view.js'
import { t } from './texts.js'
import type { Sessions } from './wire.js'

export function SessionsPage() {
  const query = useQuery({ key: '', epoch: '', filter: '', host: '', before: '', at: '' })
  const { key, epoch, at } = query.values
  const stored = `mynah_sessions:${host().base}`
  const [keys, setKeys] = useState(() => parseKeys(readStored(stored)))
  const open = (next: string, id = '', place = ''): void => query.set({ key: next.trim(), epoch: id, at: place })
  const remember = (found: string): void => {
    const next = rememberKey(keys, found)
    if (next[0] === keys[0]) return
    setKeys(next)
    writeStored(stored, JSON.stringify(next))
  }
  if (key)
    return (
      <SessionView
        key={`${key} ${epoch} ${at}`}
        sessionKey={key}
        epoch={epoch}
        at={/^\d{1,15}$/.test(at) ? Number(at) : undefined}
        box={<KeyBox key={key} value={key} keys={keys} onOpen={open} />}
        onFound={remember}
        onOpen={open}
      />
    )
  const { filter, host: hostName, before } = query.values
  return (
    <SessionList
      filter={filter}
      host={hostName}
      before={before}
      onHost={(next) => query.set({ host: next, before: '' }, { replace: true })}
      onFilter={(next) => query.set({ filter: next, before: '' }, { replace: true })}
      onBefore={(next) => query.set({ before: next })}
      onOpen={open}
    />
  )
}

/** Shows a field for a session key, with recent keys of this host. */
function KeyBox({
  value,
  keys,
  onOpen,
}: {
  readonly value: string
  readonly keys: readonly string[]
  readonly onOpen: (key: string) => void
}) {
  const [text, setText] = useState(value)
  const recent = useResource<Sessions>(
    'agent:sessions recent',
    (signal) => call('agent:sessions', { limit: 20 }, signal),
    'agent:sessions',
  )
  const offered = [...new Set([...keys, ...(recent.data?.sessions ?? []).map((row) => row.sessionKey)])]
  return (
    <form
      class="key-box"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) onOpen(text)
      }}
    >
      <label class="sr" for="session-key">
        {t('key')}
      </label>
      <div class="control">
        <input
          id="session-key"
          class="mono"
          list="session-keys"
          value={text}
          placeholder={t('keyHint')}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <datalist id="session-keys">
        {offered.map((item) => (
          <option key={item} value={item} />
        ))}
      </datalist>
      <Button type="submit" disabled={!text.trim() || text.trim() === value}>
        {t('open')}
      </Button>
    </form>
  )
}
