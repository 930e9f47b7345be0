// Conditions on the rows: column, word, value; they stand in the address.
import { useState } from 'preact/hooks'
import { Button, Dialog, Field, Icon, Select } from '../../ui/index.js'
import { operators, type Column, type Condition, type Operator } from './model.js'
import { t } from './texts.js'

interface ConditionsProps {
  readonly conditions: readonly Condition[]
  readonly columns: readonly Column[]
  readonly onChange: (conditions: readonly Condition[]) => void
}

export function Conditions({ conditions, columns, onChange }: ConditionsProps) {
  const [adding, setAdding] = useState(false)
  return (
    <div class="row grow conditions">
      {conditions.map((condition, index) => (
        <span key={index} class="condition">
          <code>{condition.column}</code>
          <span>{t(condition.operator)}</span>
          {condition.operator === 'null_' ? null : <code>{condition.value || t('emptyText')}</code>}
          <button
            type="button"
            class="icon-button"
            aria-label={t('removeCondition', { column: condition.column })}
            onClick={() => onChange(conditions.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <Button kind="quiet" onClick={() => setAdding(true)}>
        <Icon name="plus" />
        {t('condition')}
      </Button>
      {adding ? (
        <Add
          columns={columns}
          onClose={() => setAdding(false)}
          onAdd={(condition) => {
            onChange([...conditions, condition])
            setAdding(false)
          }}
        />
      ) : null}
    </div>
  )
}

function Add({
  columns,
  onClose,
  onAdd,
}: {
  readonly columns: readonly Column[]
  readonly onClose: () => void
  readonly onAdd: (condition: Condition) => void
}) {
  const [column, setColumn] = useState(columns[0]?.name ?? '')
  const [operator, setOperator] = useState<Operator>('$eq')
  const [value, setValue] = useState('')
  const submit = (event?: Event): void => {
    event?.preventDefault()
    onAdd({ column, operator, value })
  }
  return (
    <Dialog
      title={t('addCondition')}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={() => submit()}>
          {t('apply')}
        </Button>
      }
    >
      <form class="stack tight" onSubmit={submit}>
        <Select
          label={t('column')}
          value={column}
          onChange={setColumn}
          options={columns.map(({ name }) => ({ value: name, label: name }))}
        />
        <Select
          label={t('is')}
          value={operator}
          onChange={setOperator}
          options={operators.map((name) => ({ value: name, label: t(name) }))}
        />
        {operator === 'null_' ? null : <Field mono label={t('value')} value={value} onInput={setValue} />}
        <button type="submit" class="sr" tabIndex={-1}>
          {t('apply')}
        </button>
      </form>
    </Dialog>
  )
}
