// Adds a rule: a pattern with one text that it must match and one that it must not.
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { resources } from '../../lib/resources.js'
import { Field } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import { checkRule } from './model.js'
import { p } from './texts.js'

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
    toast(p('added'), 'ok')
    resources.invalidate((key) => key.startsWith('exec:'))
    onClose()
  }, 'here')
  return (
    <Confirm
      title={p('ruleTitle', { endpoint: draft.endpointId })}
      action={p('ruleDo')}
      busy={add.busy}
      disabled={problem !== undefined || add.blocked.disabled === true}
      onClose={onClose}
      onConfirm={() => add.run()}
    >
      <Field
        mono
        label={p('pattern')}
        hint={p('patternHint')}
        value={pattern}
        onInput={setPattern}
        error={problem === 'invalid' ? p('invalid') : undefined}
      />
      <Field
        mono
        label={p('match')}
        value={match}
        onInput={setMatch}
        error={problem === 'matchFails' ? p('matchFails') : undefined}
      />
      <Field
        mono
        label={p('noMatch')}
        value={noMatch}
        onInput={setNoMatch}
        error={problem === 'noMatchFails' ? p('noMatchFails') : add.failure}
      />
    </Confirm>
  )
}
