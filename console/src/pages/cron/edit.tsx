import type { EndpointRow } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useDraft } from '../../kit/use-draft.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { useNow } from '../../kit/use-now.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, PageHead, Select } from '../../ui/index.js'
import { KeptNote, Loaded, Segments, TextArea } from '../../ui/parts/index.js'
import type { PageProps } from '../../lib/pages.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Meaning } from './meaning.js'
import {
  EMPTY_FORM,
  formOf,
  MISSED,
  nameOf,
  OWN,
  parametersOf,
  problemOf,
  type Form,
  type FormProblem,
} from './model.js'
import './page.css'
import { t } from './texts.js'
import { usePreview } from './preview.js'
import type { CronList, Task } from './wire.js'
import { ExpressionField } from './expression-field.js'
import { ChatTarget } from './chat-target.js'

export function CronEditPage({ params }: PageProps) {
  const id = params['id']
  return id === undefined ? <Page task={undefined} /> : <ExistingTask id={id} />
}

function ExistingTask({ id }: { readonly id: string }) {
  const task = useResource<Task>(`cron:get ${id}`, (signal) => call('cron:get', { id }, signal), 'cron:get')
  if (task.failure?.code === 'not_found' || task.failure?.kind === 'missing')
    return (
      <TaskHead title={t('notFound')}>
        <EmptyState title={t('notFound')} action={<Button href="/cron">{t('back')}</Button>} />
      </TaskHead>
    )
  return task.data ? (
    <Page key={id} task={task.data} />
  ) : (
    <TaskHead title={t('edit')}>
      <Loaded resource={task}>{() => null}</Loaded>
    </TaskHead>
  )
}

const TaskHead = ({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) => (
  <>
    <PageHead title={title} actions={<Button href="/cron">{t('back')}</Button>} />
    {children}
  </>
)

function Page({ task }: { readonly task: Task | undefined }) {
  // Keep the task from when editing started, so that later loads do not overwrite the form.
  const [began] = useState(task)
  useOpenItem(began && nameOf(began))
  return (
    <>
      <PageHead
        title={began ? t('editTitle', { name: nameOf(began) }) : t('newTitle')}
        fact={<span>{t('newFact')}</span>}
        actions={<Button href="/cron">{t('back')}</Button>}
      />
      <Editor task={began} />
    </>
  )
}

function Editor({ task }: { readonly task: Task | undefined }) {
  const [initial] = useState<Form>(() => (task ? formOf(task) : EMPTY_FORM))
  const draft = useDraft(task ? `task ${task.id}` : 'new task', initial)
  const form = draft.value
  const [tried, setTried] = useState(false)
  const set = (change: Partial<Form>): void => draft.set((former) => ({ ...former, ...change }))
  const preview = usePreview(form.cron, form.timezone)
  const now = useNow(30_000)
  const list = useResource<CronList>('cron:list', (signal) => call('cron:list', {}, signal))
  const endpoints = useResource<EndpointRow[]>(
    'endpoint:list',
    async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
  )
  const problem = problemOf(form)
  const save = useSave(form, task, draft.clear)
  const submit = (): void => {
    setTried(true)
    if (problem === undefined) save.run()
  }
  const error = (of: FormProblem): string | undefined =>
    tried && problem === of && of ? t(`problem.${of}`) : undefined
  const own: Task = previewTask(form, preview)
  const others = (list.data?.persistent ?? []).filter((item) => item.id !== task?.id)
  const chosen = endpoints.data?.find((row) => row.adapter === form.platform && row.name === form.endpointId)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <form
      class="columns-2 task-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={onKeyDown}
    >
      <div class="form-grid">
        <KeptNote draft={draft} />
        <Field
          label={t('label')}
          hint={t('labelHint')}
          value={form.label}
          onInput={(label) => set({ label: label.slice(0, 256) })}
        />
        <ExpressionField form={form} onChange={set} preview={preview} error={error} />
        <ScheduleOptions form={form} onChange={set} zone={preview.timezone} />
        <TextArea
          label={t('prompt')}
          hint={t('promptHint')}
          rows={5}
          value={form.prompt}
          onInput={(prompt) => set({ prompt })}
          error={error('prompt')}
          onSubmit={submit}
        />
        <ChannelField form={form} onChange={set} />
        <ChatTarget form={form} onChange={set} chosen={chosen} endpoints={endpoints} errorOf={error} />
        <ServiceField form={form} onChange={set} errorOf={error} />
        {save.failure ? (
          <p class="bad" role="alert">
            {save.failure}
          </p>
        ) : null}
        <SaveButtons save={save} task={task} />
      </div>
      <Meaning
        expression={form.cron}
        preview={preview}
        own={own}
        others={others}
        memory={list.data?.memory ?? []}
        now={now}
      />
    </form>
  )
}

interface ChannelFieldProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
}

function ChannelField({ form, onChange }: ChannelFieldProps) {
  return (
    <div class="stack tight">
      <p class="field-name" aria-hidden="true">
        {t('where')}
      </p>
      <Segments
        label={t('where')}
        value={form.channel}
        onChange={(channel) => onChange({ channel })}
        options={(['im', 'log', 'silent', 'ha'] as const).map((value) => ({ value, label: t(`notify.${value}`) }))}
      />
    </div>
  )
}

interface ServiceFieldProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
  readonly errorOf: (of: FormProblem) => string | undefined
}

function ServiceField({ form, onChange, errorOf }: ServiceFieldProps) {
  return form.channel === 'ha' ? (
    <Field
      mono
      label={t('service')}
      value={form.service}
      onInput={(service) => onChange({ service })}
      error={errorOf('service')}
      placeholder="notify.notify"
    />
  ) : null
}

function useSave(form: Form, task: Task | undefined, onSaved: () => void) {
  return useAction(async () => {
    const parameters = parametersOf(form)
    const saved = await (task
      ? call<Task>('cron:update', { id: task.id, ...parameters })
      : call<Task>('cron:add', parameters))
    onSaved()
    toast(t(task ? 'saved' : 'made', { name: nameOf(saved) }), 'ok')
    resources.invalidate((key) => key.startsWith('cron:'))
    navigate('/cron')
  }, 'here')
}

interface SaveButtonsProps {
  readonly save: Action<[]>
  readonly task: Task | undefined
}

function SaveButtons({ save, task }: SaveButtonsProps) {
  return (
    <div class="row">
      <Button kind="primary" type="submit" busy={save.busy} {...save.blocked}>
        {t(task ? 'save' : 'make')}
        <kbd class="on-accent" aria-hidden="true">
          Ctrl ↵
        </kbd>
      </Button>
      <Button kind="quiet" href="/cron">
        {t('cancel')}
      </Button>
    </div>
  )
}

function previewTask(form: Form, preview: ReturnType<typeof usePreview>): Task {
  return {
    id: OWN,
    cronExpression: form.cron,
    prompt: form.prompt || '–',
    enabled: true,
    notify: { channel: 'log' },
    createdAt: 0,
    timezone: preview.timezone ?? 'UTC',
    nextRuns: [...(preview.runs ?? [])],
    recent: [],
    failures: 0,
    ...(form.label ? { label: form.label } : {}),
  }
}

interface ScheduleOptionsProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
  /** The zone in which the host counts. */
  readonly zone: string | undefined
}

function ScheduleOptions({ form, onChange, zone }: ScheduleOptionsProps) {
  return (
    <div class="pair">
      <Field
        label={t('timezone')}
        hint={zone === undefined || form.timezone.trim() ? t('timezoneHint') : t('timezoneOfHost', { zone })}
        value={form.timezone}
        onInput={(timezone) => onChange({ timezone })}
        placeholder={zone ?? ''}
      />
      <Select
        label={t('missed')}
        value={form.missed}
        onChange={(missed) => onChange({ missed })}
        options={MISSED.map((value) => ({ value, label: t(`missed.${value}`) }))}
      />
    </div>
  )
}
