// The connected host: its label and colour in this browser, another address or token, signing out.
import { useEffect, useRef, useState } from 'preact/hooks'
import { rememberHost } from '../lib/hosts.js'
import { hosts } from '../lib/preferences.js'
import { Button, Dialog, Facts, Field } from '../ui/index.js'
import { loadConnection } from '@mynah/sdk'
import { t } from './host-texts.js'
import { changeHost, host, signOut, switchHost } from './host.js'
import type { OverlayProps } from './overlays.js'

/** What the choice of a colour begins with. */
const FIRST_COLOUR = '#0a6b5e'

export function HostDialog({ onClose }: OverlayProps) {
  const { base } = host()
  const known = hosts.get().find((item) => item.base === base)
  const [label, setLabel] = useState(known?.label ?? '')
  const [colour, setColour] = useState(known?.colour ?? '')
  const others = hosts.get().filter((item) => item.base !== base)
  const save = (event: Event): void => {
    event.preventDefault()
    hosts.set(rememberHost(hosts.get(), { base, label: label.trim(), colour }))
    onClose()
  }
  const then = (run: () => void) => (): void => {
    onClose()
    run()
  }
  return (
    <Dialog
      title={t('host')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={then(changeHost)}>{t('host.change')}</Button>
          <Button kind="danger" onClick={then(signOut)}>
            {t('host.signOut')}
          </Button>
        </>
      }
    >
      <form class="stack" onSubmit={save}>
        <Facts facts={[{ label: t('address'), value: <code>{base}</code> }]} />
        <Field
          label={t('label')}
          hint={t('label.hint')}
          value={label}
          onInput={(value) => setLabel(value.slice(0, 40))}
          placeholder={new URL(base).host}
        />
        <Colour value={colour} onChange={setColour} />
        <div class="row">
          <Button kind="primary" type="submit">
            {t('save')}
          </Button>
        </div>
      </form>
      {others.length > 0 ? (
        <section class="other-hosts" aria-label={t('others')}>
          <h3>{t('others')}</h3>
          <ul>
            {others.map((item) => (
              <li key={item.base}>
                <span class="grow break">
                  {item.label ? `${item.label} ` : ''}
                  <code>{item.base}</code>
                </span>
                <Button
                  onClick={then(() => switchHost(item.base))}
                  label={`${t('switch')}: ${item.label ?? item.base}`}
                >
                  {t(loadConnection({ linkBase: item.base }).token ? 'switch' : 'signIn')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Dialog>
  )
}

/** The colour of the stripe, or none; whichever control takes the place of the other takes its focus too. */
function Colour({ value, onChange }: { readonly value: string; readonly onChange: (colour: string) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const chosen = value !== ''
  const former = useRef(chosen)
  useEffect(() => {
    if (former.current === chosen) return
    former.current = chosen
    box.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [chosen])
  return (
    <div ref={box}>
      {chosen ? (
        <Field
          label={t('colour')}
          type="color"
          value={value}
          onInput={onChange}
          end={
            <Button kind="quiet" onClick={() => onChange('')}>
              {t('colour.remove')}
            </Button>
          }
        />
      ) : (
        <div class="field">
          <b>{t('colour')}</b>
          <div class="row">
            <Button onClick={() => onChange(FIRST_COLOUR)}>{t('colour.choose')}</Button>
            <span class="muted">{t('colour.none')}</span>
          </div>
        </div>
      )}
    </div>
  )
}
