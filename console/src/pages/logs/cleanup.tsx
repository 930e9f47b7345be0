// Deleting old lines: how many would go is told before anything goes.
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { failureOf } from '../../lib/failure.js'
import { Field, Select } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import { p } from './texts.js'

interface Outcome { readonly deleted: number; readonly remaining: number }
type Rest = (operation: string, input: { readonly body: Readonly<Record<string, unknown>>; readonly signal?: AbortSignal }) => Promise<Outcome>

/** Whether the host knows `dryRun`; one that does not would delete at once, since it ignores what it does not know. */
async function canPreview(signal: AbortSignal): Promise<boolean> {
  const document = await host().rest('GET /pub/openapi.json', { signal })
  const paths = (document as { paths?: Record<string, unknown> } | null)?.paths ?? {}
  const cleanup = Object.entries(paths).find(([path]) => path.endsWith('/logs/cleanup'))?.[1]
  return JSON.stringify(cleanup ?? {}).includes('"dryRun"')
}

const cleanup: Rest = (...input) => (host().rest as unknown as Rest).call(host(), ...input)

export function Cleanup({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const [by, setBy] = useState<'days' | 'maxRecords'>('days')
  const [value, setValue] = useState('7')
  const [able, setAble] = useState<boolean>()
  const [preview, setPreview] = useState<Outcome>()
  const valid = /^\d{1,9}$/.test(value)
  const body = { [by]: Number(value) }
  useEffect(() => {
    const controller = new AbortController()
    canPreview(controller.signal).then(setAble, () => setAble(false))
    return () => controller.abort()
  }, [])
  useEffect(() => {
    setPreview(undefined)
    if (!able || !valid) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      cleanup('POST /logs/cleanup', { body: { ...body, dryRun: true }, signal: controller.signal }).then(setPreview, (error: unknown) => { if (!controller.signal.aborted) toast(failureOf(error).text, 'err') })
    }, 250)
    return () => { clearTimeout(timer); controller.abort() }
  }, [able, by, value])
  const run = useAction(async () => {
    const { deleted } = await cleanup('POST /logs/cleanup', { body })
    toast(p('cleaned', { count: deleted }), 'ok')
    onDone()
  })
  return (
    <Confirm danger title={p('cleanTitle')} action={preview ? p('cleanDoN', { count: preview.deleted }) : p('cleanDo')} busy={run.busy} disabled={!valid || (able !== false && preview === undefined) || preview?.deleted === 0 || run.blocked.disabled === true} onClose={onClose} onConfirm={() => run.run()}>
      <Select label={p('cleanBy')} value={by} onChange={setBy} options={[{ value: 'days', label: p('byDays') }, { value: 'maxRecords', label: p('byCount') }]} />
      <Field label={p(by === 'days' ? 'days' : 'count')} type="number" value={value} onInput={setValue} error={valid ? undefined : p('invalid')} />
      <p role="status">{able === false ? p('noPreview') : preview ? p('preview', { count: preview.deleted, remaining: preview.remaining }) : '…'}</p>
    </Confirm>
  )
}
