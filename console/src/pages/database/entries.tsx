// Keys with their values, and documents by id: a list, and one of them as JSON.
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useNow } from '../../kit/use-now.js'
import { timeLeft } from '../../kit/time-format.js'
import { parsePageNumber } from '../../lib/paginate.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, Icon, Pager, Table } from '../../ui/index.js'
import { Confirm, Loaded, TextArea } from '../../ui/parts/index.js'
import { parseConditions, conditionsText, whereOfConditions, type Row } from './model.js'
import type { RowsProps } from './rows.js'
import { Conditions } from './conditions.js'
import { t } from './texts.js'

interface Entry {
  readonly key: string
  readonly value: unknown
  readonly expiresAt?: number
}
interface Page {
  readonly entries: readonly Entry[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

const PAGE_SIZE = 50

export function Entries({ table, query, onBack }: RowsProps) {
  const { page, where } = query.values
  const now = useNow(1000)
  const kv = table.kind === 'keyvalue'
  const conditions = kv ? [] : parseConditions(where)
  const [open, setOpen] = useState<Entry | 'new'>()
  const rows = useResource<Page>(
    `db:${kv ? 'kv:entries' : 'select'} ${table.name} ${page} ${where}`,
    async (signal) => {
      if (kv)
        return host().rpc(
          'db:kv:entries',
          { table: table.name, page: parsePageNumber(page), pageSize: PAGE_SIZE },
          { signal },
        )
      const found = await host().rpc(
        'db:select',
        {
          table: table.name,
          page: parsePageNumber(page),
          pageSize: PAGE_SIZE,
          ...(conditions.length > 0 ? { where: whereOfConditions(conditions, []) } : {}),
        },
        { signal },
      )
      return {
        ...found,
        entries: found.rows.map((row) => {
          const { id, ...value } = row
          return { key: String(id), value }
        }),
      }
    },
    kv ? 'db:kv:entries' : 'db:select',
  )
  const add = (): void => setOpen('new')
  useShortcuts({
    n: () => {
      if (table.writable) add()
    },
  })
  // What has run out is gone, whatever was loaded before.
  const shown = (rows.data?.entries ?? []).filter((entry) => entry.expiresAt === undefined || entry.expiresAt > now)
  const total = rows.data?.total ?? 0
  const fields = [
    ...new Set(
      shown.flatMap((entry) =>
        typeof entry.value === 'object' && entry.value !== null && !Array.isArray(entry.value)
          ? Object.keys(entry.value)
          : [],
      ),
    ),
  ]
  return (
    <>
      <div class="strip-line db-tools">
        <span class="back-to-list">
          <button type="button" class="icon-button" aria-label={t('back')} onClick={onBack}>
            <Icon name="back" />
          </button>
        </span>
        <h2 class="sr">{table.name}</h2>
        {kv ? (
          <span class="grow" />
        ) : (
          <Conditions
            conditions={conditions}
            columns={['id', ...fields].map((name) => ({ name, type: '' }))}
            onChange={(next) => query.set({ where: conditionsText(next), page: '1' })}
          />
        )}
        {table.writable ? (
          <Button hotkey="n" onClick={add}>
            {t(kv ? 'newKey' : 'newDocument')}
          </Button>
        ) : null}
        <span class="muted">{rows.data ? t('rows', { total: total }) : ''}</span>
      </div>
      {table.writable ? null : <p class="strip-line muted">{t('readOnlyText')}</p>}
      <div class="db-split">
        <div class="section">
          <Loaded resource={rows} rows={12}>
            {({ pageSize }) => (
              <>
                {shown.length === 0 ? (
                  conditions.length > 0 ? (
                    <EmptyState
                      title={t('noMatch')}
                      action={<Button onClick={() => query.set({ where: '', page: '1' })}>{t('clear')}</Button>}
                    />
                  ) : (
                    <EmptyState title={t('none')} />
                  )
                ) : (
                  <Table
                    caption={table.name}
                    rows={shown}
                    rowKey={(entry) => entry.key}
                    dimmed={rows.loading}
                    columns={[
                      {
                        id: 'key',
                        head: kv ? t('entry') : 'id',
                        rowHeader: true,
                        cell: (entry) => (
                          <button
                            type="button"
                            class="linkish"
                            aria-pressed={open !== 'new' && open?.key === entry.key}
                            onClick={() => setOpen(entry)}
                          >
                            <code>{entry.key}</code>
                          </button>
                        ),
                      },
                      {
                        id: 'value',
                        head: t('entryValue'),
                        cell: (entry) => <code class="one-line">{JSON.stringify(entry.value)?.slice(0, 200)}</code>,
                      },
                      ...(kv
                        ? [
                            {
                              id: 'expires',
                              head: t('expires'),
                              numeric: true,
                              width: '110px',
                              cell: (entry: Entry) =>
                                entry.expiresAt === undefined ? (
                                  <span class="muted">{t('never')}</span>
                                ) : (
                                  <span class={entry.expiresAt - now < 60_000 ? 'amber' : undefined}>
                                    {timeLeft(entry.expiresAt - now)}
                                  </span>
                                ),
                            },
                          ]
                        : []),
                    ]}
                  />
                )}
                <Pager
                  page={rows.data?.page ?? 1}
                  totalPages={Math.ceil(total / pageSize)}
                  total={total}
                  onPage={(next) => query.set({ page: String(next) })}
                />
              </>
            )}
          </Loaded>
        </div>
        {open === undefined ? (
          <EmptyState title={t('chooseKey')} />
        ) : (
          <EntryEditor
            key={open === 'new' ? '' : open.key}
            table={table.name}
            kv={kv}
            writable={table.writable}
            entry={open === 'new' ? undefined : open}
            onClose={() => setOpen(undefined)}
            onChanged={() => {
              setOpen(undefined)
              rows.reload()
            }}
          />
        )}
      </div>
    </>
  )
}

interface EditorProps {
  readonly table: string
  readonly kv: boolean
  readonly writable: boolean
  readonly entry: Entry | undefined
  readonly onClose: () => void
  readonly onChanged: () => void
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function EntryEditor({ table, kv, writable, entry, onClose, onChanged }: EditorProps) {
  const [key, setKey] = useState(entry?.key ?? '')
  const empty = kv ? '""' : '{\n  \n}'
  const [text, setText] = useState(entry ? JSON.stringify(entry.value, null, 2) : empty)
  const [ttl, setTtl] = useState('')
  const [asking, setAsking] = useState(false)
  const parsed = parse(text)
  const fits =
    parsed !== undefined &&
    (kv || (typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value)))
  const seconds = /^\d{1,9}$/.test(ttl) && Number(ttl) > 0 ? Number(ttl) : undefined
  const save = useAction(async () => {
    if (!parsed) return
    if (kv)
      await host().rpc('db:kv:set', {
        table,
        key,
        value: parsed.value,
        ...(seconds === undefined ? {} : { ttl: seconds }),
      })
    else if (entry) await host().rpc('db:update', { table, row: parsed.value as Row, where: { id: entry.key } })
    else await host().rpc('db:insert', { table, row: { ...(parsed.value as Row), ...(key ? { id: key } : {}) } })
    toast(kv ? t('keySaved', { key }) : t('documentSaved'), 'ok')
    onChanged()
  }, 'here')
  const remove = useAction(async () => {
    if (!entry) return
    await (kv
      ? host().rpc('db:kv:delete', { table, key: entry.key })
      : host().rpc('db:delete', { table, where: { id: entry.key } }))
    toast(kv ? t('keyGone', { key: entry.key }) : t('documentGone'), 'ok')
    onChanged()
  })
  const ready = fits && (!kv || key.trim() !== '')
  return (
    <form
      class="entry-editor"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) save.run()
      }}
    >
      <header class="row">
        <h2 class="grow">
          {entry ? t(kv ? 'keyTitle' : 'documentTitle', { key: entry.key }) : t(kv ? 'newKey' : 'newDocument')}
        </h2>
        <button type="button" class="icon-button" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {entry ? null : <Field mono label={kv ? t('entry') : 'id'} value={key} onInput={setKey} />}
      <TextArea
        mono
        rows={12}
        label={t('json')}
        value={text}
        onInput={setText}
        error={fits ? save.failure : t('jsonBad')}
        onSubmit={() => {
          if (ready) save.run()
        }}
      />
      {kv && writable ? (
        <Field label={t('ttl')} hint={t('ttlHint')} type="number" value={ttl} onInput={setTtl} />
      ) : null}
      {writable ? (
        <p class="row">
          <Button kind="primary" type="submit" busy={save.busy} {...(ready ? save.blocked : { disabled: true })}>
            {t('save')}
          </Button>
          {entry ? (
            <Button kind="danger" onClick={() => setAsking(true)}>
              {t('remove')}
            </Button>
          ) : null}
        </p>
      ) : null}
      {asking && entry ? (
        <Confirm
          danger
          title={t(kv ? 'keyAsk' : 'documentAsk', { key: entry.key })}
          action={t('keyDo')}
          busy={remove.busy}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.run()}
        >
          <p>{t('keyText')}</p>
        </Confirm>
      ) : null}
    </form>
  )
}
