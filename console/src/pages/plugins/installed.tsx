import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { useResource } from '../../lib/use-resource.js'
import { Button } from '../../ui/index.js'
import { Section } from '../../ui/parts/section.js'
import { t } from './switch-texts.js'

const Enable = lazyPart(() => import('./enable.js').then((module) => module.Enable))

/** Lists the installed plugins that the configuration does not name. */
export function Installed() {
  return useCatalogue().has('config:installed') ? <Unlisted /> : null
}

function Unlisted() {
  const [enabling, setEnabling] = useState<string>()
  const { data } = useResource('config:installed', (signal) => host().rpc('config:installed', {}, { signal }))
  if (!data?.plugins.length) return null
  return (
    <Section title={t('installed')}>
      <ul class="plain-list">
        {data.plugins.map(({ name, version, description }) => (
          <li key={name}>
            <b>{name}</b>
            <span class="muted grow">
              {version} {description}
            </span>
            <Button onClick={() => setEnabling(name)}>
              {t('enable')}
              <span class="sr"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {enabling === undefined ? null : <Enable name={enabling} onClose={() => setEnabling(undefined)} />}
    </Section>
  )
}
