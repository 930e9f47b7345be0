import { separateSecrets } from './separate-secrets.js'
import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { Switch } from '../../ui/index.js'
import type { Json } from '../config/model.js'
import { hasSecret, masked, secretPathsOf } from './model.js'
import { saveWithVariables } from './secrets.js'
import { t } from './texts.js'

/** Where the secrets of a value are saved. */
export interface SecretsPlace {
  /** Absent where there is nothing to choose. */
  readonly choice?: { readonly inEnvironment: boolean; readonly onChange: (inEnvironment: boolean) => void }
  /** The value as the file will have it, without secrets. */
  readonly shown: Json
  readonly save: () => Promise<string>
}

interface Item {
  readonly schema: Json
  readonly value: Json
  /** First part of the names of the variables. */
  readonly owner: string
  readonly save: (value: Json) => Promise<string>
}

/** Saves the secrets of a value in the environment file, until the user chooses otherwise. */
export function useSecretsPlace({ schema, value, owner, save }: Item): SecretsPlace {
  const { has } = useCatalogue()
  const [inEnvironment, onChange] = useState(true)
  if (!has('env:save') || !hasSecret(schema, value)) return { shown: masked(schema, value), save: () => save(value) }
  const choice = { inEnvironment, onChange }
  return inEnvironment
    ? {
        choice,
        shown: separateSecrets(value, secretPathsOf(schema), owner, {}).value,
        save: () => saveWithVariables({ schema, value, owner }, save),
      }
    : { choice, shown: masked(schema, value), save: () => save(value) }
}

/** A switch for the place of the secrets. */
export function SecretsChoice({ place, readOnly }: { readonly place: SecretsPlace; readonly readOnly: boolean }) {
  const { choice } = place
  if (!choice) return null
  return (
    <div class="setup-secrets">
      <Switch label={t('inEnvironment')} on={choice.inEnvironment} onChange={choice.onChange} disabled={readOnly} />
      <p class="muted">{t(choice.inEnvironment ? 'inEnvironmentFact' : 'inFileFact')}</p>
    </div>
  )
}
