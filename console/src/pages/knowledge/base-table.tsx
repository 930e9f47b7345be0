import { useRef } from 'preact/hooks'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { joinList } from '../../kit/join-list.js'
import { useAction } from '../../kit/use-action.js'
import { Button, Table, type Column } from '../../ui/index.js'
import { Quote, Section, State } from '../../ui/parts/index.js'
import { base64Of } from '../files/transfer.js'
import { Documents } from './documents.js'
import { t } from './texts.js'
import type { Base } from './wire.js'

export interface BaseTableProps {
  readonly bases: readonly Base[]
  /** Name of the base whose documents are shown. */
  readonly open: string
  readonly canChange: boolean
  readonly onOpen: (name: string) => void
  readonly onChanged: () => void
}

interface Uploaded {
  readonly chunks: number
  readonly problem?: string
}

export function BaseTable({ bases, open, canChange, onOpen, onChanged }: BaseTableProps) {
  const upload = useAction(async (base: Base, files: readonly File[]) => {
    for (const file of files) {
      const sent = { base: base.name, name: file.name, base64: await base64Of(file) }
      const { chunks, problem } = await call<Uploaded>('knowledge:upload', sent)
      if (problem === undefined) toast(t('uploaded', { name: file.name, count: chunks }), 'ok')
      else toast(t('uploadedPart', { name: file.name, problem }), 'warn')
    }
    onOpen(base.name)
    onChanged()
  })
  return (
    <Section title={t('bases')}>
      <Table
        caption={t('bases')}
        rows={bases}
        rowKey={({ name }) => name}
        below={(base) => <Below base={base} isOpen={base.name === open} canChange={canChange} onChanged={onChanged} />}
        columns={[
          ...columnsOf(open, onOpen),
          ...(canChange
            ? [
                {
                  id: 'actions',
                  head: t('actions'),
                  numeric: true,
                  cell: (base: Base) => (
                    <UploadButton base={base} action={upload} onFiles={(files) => upload.run(base, files)} />
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  )
}

function columnsOf(open: string, onOpen: (name: string) => void): readonly Column<Base>[] {
  return [
    {
      id: 'base',
      head: t('base'),
      rowHeader: true,
      cell: ({ name, paths }) => (
        <span class="two">
          <button
            type="button"
            class="unfold"
            aria-expanded={open === name}
            aria-label={t('unfold', { name })}
            onClick={() => onOpen(open === name ? '' : name)}
          >
            <i aria-hidden="true" />
            <b>{name}</b>
          </button>
          <small>{paths.length > 0 ? joinList([...paths]) : t('uploadsOnly')}</small>
        </span>
      ),
    },
    {
      id: 'documents',
      head: t('documents'),
      width: '130px',
      cell: ({ files, chunks }) => (
        <span class="two">
          <span>{files}</span>
          <small>{t('passages', { count: chunks })}</small>
        </span>
      ),
    },
    { id: 'who', head: t('who'), wide: true, cell: ({ roles }) => joinList([...roles]) },
    { id: 'state', head: t('state'), width: '130px', cell: (base) => <BaseState base={base} /> },
  ]
}

function BaseState({ base: { pending, missing, problems } }: { readonly base: Base }) {
  if (pending > 0) return <State tone="wait">{t('reading', { count: pending })}</State>
  const count = missing.length + problems.length
  return count > 0 ? <State tone="wrong">{t('problems', { count })}</State> : <State tone="plain">{t('ready')}</State>
}

interface BelowProps {
  readonly base: Base
  readonly isOpen: boolean
  readonly canChange: boolean
  readonly onChanged: () => void
}

/** Shows what could not be read, and the documents of the open base. */
function Below({ base, isOpen, canChange, onChanged }: BelowProps) {
  const { name, missing, problems } = base
  if (!isOpen && missing.length + problems.length === 0) return null
  return (
    <div class="stack tight">
      {missing.length > 0 ? <Quote>{t('missing', { paths: joinList([...missing]) })}</Quote> : null}
      {problems.map(({ path, problem }) => (
        <Quote key={path} tone="warn">{`${path}: ${problem}`}</Quote>
      ))}
      {isOpen ? <Documents base={name} canChange={canChange} onChanged={onChanged} /> : null}
    </div>
  )
}

interface UploadButtonProps {
  readonly base: Base
  readonly action: { readonly busy: boolean; readonly blocked: { readonly disabled?: true; readonly title?: string } }
  readonly onFiles: (files: readonly File[]) => void
}

function UploadButton({ base, action, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const label = t('uploadTo', { name: base.name })
  return (
    <>
      <Button label={label} busy={action.busy} {...action.blocked} onClick={() => input.current?.click()}>
        {t('upload')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
