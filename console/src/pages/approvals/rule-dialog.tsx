// Adds a rule: a pattern with one text that it must match and one that it must not.
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { resources } from '../../lib/resources.js'
import { Field } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import { checkRule } from './model.js'
import { t } from './texts.js'

export interface RuleDraft {
  readonly adapter: string
  readonly endpointId: string
  readonly pattern: string
  readonly match: string
}

export function RuleDialog({ draft, onClose }: { readonly draft: RuleDraft; readonly onClose: () => void }) {
  const [pattern, setPattern] = useState(draft.pattern)
  const [match, setMatch] = useState(draft.match)
  const [noMatch, setNoMatch] = useState('')
  const problem = checkRule(pattern, match, noMatch)
  const add = useAction(async () => {
    await host().rpc('exec:rule-add', {
      adapter: draft.adapter,
      endpointId: draft.endpointId,
      pattern,
      ...(match ? { match: [match] } : {}),
      ...(noMatch ? { noMatch: [noMatch] } : {}),
    })
    toast(t('added'), 'ok')
    resources.invalidate((key) => key.startsWith('exec:'))
    onClose()
  }, 'here')
  return (
    <Confirm
      title={t('ruleTitle', { endpoint: draft.endpointId })}
      action={t('ruleDo')}
      busy={add.busy}
      disabled={problem !== undefined || add.blocked.disabled === true}
      onClose={onClose}
      onConfirm={() => add.run()}
    >
      <Field
        mono
        label={t('pattern')}
        hint={t('patternHint')}
        value={pattern}
        onInput={setPattern}
        error={problem === 'invalid' ? t('invalid') : undefined}
      />
      <Field
        mono
        label={t('match')}
        value={match}
        onInput={setMatch}
        error={problem === 'matchFails' ? t('matchFails') : undefined}
      />
      <Field
        mono
        label={t('noMatch')}
        value={noMatch}
        onInput={setNoMatch}
        error={problem === 'noMatchFails' ? t('noMatchFails') : add.failure}
      />
    </Confirm>
  )
}
