import { useState } from 'preact/hooks'
import { Field } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import { isPath } from './model.js'
import { t } from './texts.js'

export function NewFile({
  onClose,
  onMake,
}: {
  readonly onClose: () => void
  readonly onMake: (path: string) => void
}) {
  const [name, setName] = useState('')
  const bad = name !== '' && !isPath(name)
  return (
    <Confirm
      title={t('newTitle')}
      action={t('make')}
      disabled={!isPath(name)}
      onClose={onClose}
      onConfirm={() => onMake(name)}
    >
      <Field
        mono
        label={t('newPath')}
        hint={t('newHint')}
        value={name}
        onInput={setName}
        error={bad ? t('badPath') : undefined}
        placeholder="skills/deploy/SKILL.md"
      />
    </Confirm>
  )
}
