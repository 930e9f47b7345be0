import { useEffect, useState } from 'preact/hooks'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction, useReadAction } from '../../kit/use-action.js'
import { ago, bytes } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Table, type Column } from '../../ui/index.js'
import { Confirm, Loaded } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { DocumentPage, DocumentRow } from './wire.js'

export interface DocumentsProps {
  readonly base: string
  readonly canChange: boolean
  readonly onChanged: () => void
}

/** Lists the documents of a base, a page at a time. */
export function Documents({ base, canChange, onChanged }: DocumentsProps) {
  const first = useResource<DocumentPage>(
    `knowledge:files ${base}`,
    (signal) => call('knowledge:files', { base }, signal),
    'knowledge:files',
  )
  const [further, setFurther] = useState<DocumentPage>()
  useEffect(() => setFurther(undefined), [base, first.data])
  const [removing, setRemoving] = useState<DocumentRow>()
  const load = useReadAction(async (after: string) => {
    const page = await call<DocumentPage>('knowledge:files', { base, after })
    setFurther({ ...page, files: [...(further?.files ?? []), ...page.files] })
  })
  const remove = useAction(async ({ path }: DocumentRow) => {
    await call('knowledge:remove', { base, path })
    toast(t('removed', { name: path }), 'ok')
    setRemoving(undefined)
    first.reload()
    onChanged()
  })
  return (
    <Loaded resource={first} rows={3}>
      {(page) => {
        const rows = [...page.files, ...(further?.files ?? [])]
        const { nextAfter } = further ?? page
        return (
          <>
            {rows.length === 0 ? (
              <p class="muted">{t('noDocuments')}</p>
            ) : (
              <Table
                caption={t('unfold', { name: base })}
                rows={rows}
                rowKey={({ path }) => path}
                columns={columnsOf(canChange, setRemoving)}
              />
            )}
            {nextAfter === undefined ? null : (
              <Button busy={load.busy} onClick={() => load.run(nextAfter)}>
                {t('more')}
              </Button>
            )}
            {removing ? (
              <Confirm
                danger
                title={t('removeTitle', { name: removing.path })}
                action={t('removeDo')}
                busy={remove.busy}
                onClose={() => setRemoving(undefined)}
                onConfirm={() => remove.run(removing)}
              >
                <p>{t('removeText')}</p>
              </Confirm>
            ) : null}
          </>
        )
      }}
    </Loaded>
  )
}

function columnsOf(canChange: boolean, onRemove: (row: DocumentRow) => void): readonly Column<DocumentRow>[] {
  const now = Date.now()
  return [
    { id: 'document', head: t('document'), rowHeader: true, cell: ({ path }) => <code>{path}</code> },
    { id: 'size', head: t('size'), numeric: true, wide: true, width: '90px', cell: ({ size }) => bytes(size) },
    {
      id: 'passages',
      head: t('read'),
      width: '130px',
      cell: ({ chunks, indexedAt }) => (
        <span class="two">
          <span>{t('passages', { count: chunks })}</span>
          <small>{ago(indexedAt, now, currentLocale())}</small>
        </span>
      ),
    },
    {
      id: 'actions',
      head: t('actions'),
      numeric: true,
      width: '110px',
      cell: (row) =>
        canChange && row.origin === 'upload' ? (
          <Button label={t('removeLabel', { name: row.path })} onClick={() => onRemove(row)}>
            {t('remove')}
          </Button>
        ) : null,
    },
  ]
}
