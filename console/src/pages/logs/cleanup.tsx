// Deleting old lines: how many would go is told before anything goes.
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { failureOf, type Failure } from '../../lib/failure.js'
import { Field, Select } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import { t } from './texts.js'

type Foreseen = { readonly deleted: number; readonly remaining: number } | Failure

export function Cleanup({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const [by, setBy] = useState<'days' | 'maxRecords'>('days')
  const [value, setValue] = useState('7')
  const [foreseen, setForeseen] = useState<Foreseen>()
  const valid = /^\d{1,9}$/.test(value) && (by === 'maxRecords' || Number(value) <= 36_500)
  const statusText = (): string => {
    if (preview) return t('preview', { count: preview.deleted, remaining: preview.remaining })
    if (foreseen && 'text' in foreseen) return t('noPreview', { error: foreseen.text })
    return valid ? '…' : ''
  }
  const preview = foreseen && 'deleted' in foreseen ? foreseen : undefined
  useEffect(() => {
    setForeseen(undefined)
    if (!valid) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      host()
        .rest('POST /logs/cleanup', { body: { [by]: Number(value), dryRun: true }, signal: controller.signal })
        .then(setForeseen, (error: unknown) => {
          if (!controller.signal.aborted) setForeseen(failureOf(error))
        })
    }, 250)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [by, value, valid])
  const run = useAction(async () => {
    const { deleted } = await host().rest('POST /logs/cleanup', { body: { [by]: Number(value) } })
    toast(t('cleaned', { count: deleted }), 'ok')
    onDone()
  })
  return (
    <Confirm
      danger
      title={t('cleanTitle')}
      action={preview ? t('cleanDoN', { count: preview.deleted }) : t('cleanDo')}
      busy={run.busy}
      disabled={!preview || preview.deleted === 0 || run.blocked.disabled === true}
      onClose={onClose}
      onConfirm={() => run.run()}
    >
      <Select
        label={t('cleanBy')}
        value={by}
        onChange={setBy}
        options={[
          { value: 'days', label: t('byDays') },
          { value: 'maxRecords', label: t('byCount') },
        ]}
      />
      <Field
        label={t(by === 'days' ? 'days' : 'count')}
        type="number"
        value={value}
        onInput={setValue}
        error={valid ? undefined : t(by === 'days' ? 'invalidDays' : 'invalid')}
      />
      <p role="status">{statusText()}</p>
    </Confirm>
  )
}
