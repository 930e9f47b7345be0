import type { ConfigApplied } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { useWriteBlock } from '../../app/event-stream.js'
import { host } from '../../app/host.js'
import { joinList } from '../../kit/join-list.js'
import { useAction } from '../../kit/use-action.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { Button } from '../../ui/index.js'
import { Quote, State } from '../../ui/parts/index.js'
import { t } from './apply-texts.js'

const RestartDialog = lazyPart(() => import('../../app/restart-dialog.js').then((module) => module.RestartDialog))

type Problem = ConfigApplied['problems'][number]

/** Lets the host run the files that were saved, and then says what has changed. */
export function ApplyNow() {
  const [applied, setApplied] = useState<ConfigApplied>()
  const apply = useAction(async () => setApplied(await host().rpc('config:apply', {})), 'here')
  if (!useCatalogue().has('config:apply')) return null
  if (applied) return <Applied applied={applied} />
  return (
    <div class="stack" role="status">
      <p class="row">
        <span class="grow">{t('notYet')}</span>
        <Button kind="primary" busy={apply.busy} {...apply.blocked} onClick={() => apply.run()}>
          {t('applyNow')}
        </Button>
      </p>
      {apply.failure === undefined ? null : <Quote>{apply.failure}</Quote>}
    </div>
  )
}

function Applied({ applied }: { readonly applied: ConfigApplied }) {
  const { accepted, complete, notes, problems, waiting, failed } = applied
  const hasChanged = (['updated', 'restarted', 'started', 'stopped'] as const).filter((key) => applied[key].length > 0)
  const isQuiet = hasChanged.length + waiting.length + failed.length + problems.length === 0
  return (
    <div class="stack" role="status">
      <p>
        <Verdict applied={applied} />
      </p>
      {complete ? null : <p>{t('going')}</p>}
      {accepted && complete && isQuiet ? <p>{t('nothing')}</p> : null}
      {hasChanged.map((key) => (
        <p key={key}>{t(key, { names: joinList(applied[key]) })}</p>
      ))}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {waiting.map(({ plugins, reason }) => (
        <Quote key={reason} tone="warn">
          {t('waiting', { names: joinList(plugins), count: plugins.length, reason })}
        </Quote>
      ))}
      {failed.map(({ plugins, reason }) => (
        <Quote key={reason}>{t('failed', { names: joinList(plugins), count: plugins.length, reason })}</Quote>
      ))}
      {problems.map((problem) => (
        <Quote key={problem.message} tone={isWarning(problem) ? 'warn' : 'err'}>
          {textOf(problem)}
        </Quote>
      ))}
      {problems.some(({ code }) => code === 'plugin/changed-code') ? <RestartButton /> : null}
    </div>
  )
}

function RestartButton() {
  const [asking, setAsking] = useState(false)
  const block = useWriteBlock()
  return (
    <p>
      <Button {...(block === undefined ? {} : { disabled: true, title: block })} onClick={() => setAsking(true)}>
        {t('restart')}
      </Button>
      {asking ? <RestartDialog onClose={() => setAsking(false)} /> : null}
    </p>
  )
}

function Verdict({ applied: { accepted, complete, waiting, failed, problems } }: { readonly applied: ConfigApplied }) {
  if (!accepted) return <State tone="wrong">{t('notApplied')}</State>
  const isWhole = complete && waiting.length + failed.length === 0 && problems.every(isWarning)
  return isWhole ? <State tone="well">{t('appliedAll')}</State> : <State tone="wait">{t('appliedPart')}</State>
}

const isWarning = ({ severity }: Problem): boolean => severity === 'warning'
const textOf = ({ line, message }: Problem): string => (line === undefined ? message : t('atLine', { line, message }))
