import { Select } from '../field.js'
import { t } from './host-select-texts.js'

export interface HostSelectProps {
  /** Names of the hosts that share a database. Without any, nothing is shown. */
  readonly hosts: readonly string[]
  /** Name of the chosen one; empty for all. */
  readonly value: string
  readonly onChange: (host: string) => void
}

/** Narrows a list to what is of one host. */
export function HostSelect({ hosts, value, onChange }: HostSelectProps) {
  if (hosts.length === 0 && value === '') return null
  // An address may name a host that is not known any more.
  const names = value === '' || hosts.includes(value) ? hosts : [...hosts, value]
  return (
    <div class="host-select">
      <Select
        compact
        label={t('host')}
        value={value}
        onChange={onChange}
        options={[{ value: '', label: t('allHosts') }, ...names.map((name) => ({ value: name, label: name }))]}
      />
    </div>
  )
}
