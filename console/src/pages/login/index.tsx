// Signing in: an address, a token, and what is known about both before and after trying.
import { CONTRACT_VERSION, DEFAULT_HTTP_PORT } from '@mynah/contract/wire'
import { createClient, probe, type ConnectionStorage } from '@mynah/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { connect, loginStart } from '../../app/host.js'
import { DisplayMenu } from '../../app/display-menu.js'
import { t } from '../../lib/i18n.js'
import { hosts } from '../../lib/preferences.js'
import { navigate } from '../../lib/router.js'
import { useStore } from '../../lib/use-store.js'
import { Badge, Button, Copy, Field, Icon, Notice, PageHead } from '../../ui/index.js'
import { completeBase, isAddress, refusalOf, usualPort, verdictOf, type Verdict } from './model.js'
import './page.css'

const TYPING_MS = 350
/** A token that is only tried must neither be stored nor remove the stored one. */
const noStorage: ConnectionStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

export function LoginPage() {
  const start = useStore(loginStart)
  const known = useStore(hosts)
  const [base, setBase] = useState(start.base ?? '')
  const [token, setToken] = useState('')
  const [shown, setShown] = useState(false)
  const [found, setFound] = useState<Verdict | 'checking'>()
  const [refused, setRefused] = useState<Verdict>()
  const [busy, setBusy] = useState(false)
  // An address is called wrong once somebody has gone on from it, not while it is typed.
  const [left, setLeft] = useState(false)
  const tokenInput = useRef<HTMLInputElement>(null)
  const baseInput = useRef<HTMLInputElement>(null)

  useEffect(() => (base === '' ? baseInput : tokenInput).current?.focus(), [])
  useEffect(() => {
    const address = completeBase(base)
    setFound(isAddress(base) ? 'checking' : undefined)
    if (!isAddress(base)) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      probe(address, { signal: controller.signal }).then(
        (result) => setFound(verdictOf(result, { origin: location.origin, contract: CONTRACT_VERSION })),
        (error: unknown) => { if (!controller.signal.aborted) throw error },
      )
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [base])

  // Not in the effect above: that one may run after the field was left, and would take back what is said then.
  const changeBase = (text: string): void => {
    setBase(text)
    setLeft(false)
  }
  const leaveBase = (text: string): void => {
    setLeft(text.trim() !== '')
    if (isAddress(text)) setBase(completeBase(text))
  }
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (!isAddress(base)) {
      setLeft(true)
      baseInput.current?.focus()
      return
    }
    setRefused(undefined)
    setBusy(true)
    try {
      const client = createClient({ base: completeBase(base), token: token.trim(), storage: noStorage })
      await client.rest('GET /system/status')
      connect(client.base, token.trim(), { remember: true })
      navigate(start.target ?? '/dashboard', { replace: true })
    } catch (error) {
      setRefused(refusalOf(error))
      tokenInput.current?.focus()
      tokenInput.current?.select()
    } finally {
      setBusy(false)
    }
  }

  return (
    <main class="login">
      <div class="login-top"><span class="mark" aria-hidden="true"><i /><i /><i /></span><strong>Mynah</strong><span class="grow" /><DisplayMenu /></div>
      <PageHead title={t('login.title')} />
      {start.reason ? <Notice tone="warn" title={t(start.reason === 'link' && start.stored !== true ? 'login.linkOnly' : `login.${start.reason}`)} /> : null}
      <form class="panel" noValidate onSubmit={(event) => void submit(event)} aria-label={t('login.title')}>
        <div onFocusOut={({ target }) => { if (target instanceof HTMLInputElement && target === baseInput.current) leaveBase(target.value) }}>
          <Field label={t('login.base')} name="base" type="text" autocomplete="url" mono required value={base} onInput={changeBase} inputRef={baseInput}
            error={left && base.trim() !== '' && !isAddress(base) ? `${t('login.invalid-url')}. ${t('login.invalid-url.text')}` : left && base.trim() === '' ? t('login.base.needed') : undefined}
            placeholder="http://127.0.0.1:8086" hint={<Finding verdict={found} onTry={changeBase} base={completeBase(base)} />} />
        </div>
        <Field label={t('login.token')} name="token" type={shown ? 'text' : 'password'} autocomplete="current-password" mono required value={token} onInput={setToken} inputRef={tokenInput}
          error={refused ? [t(refused.title), refused.text ? t(refused.text, refused.values) : '', refused.said ?? ''].filter(Boolean).join('. ') : undefined}
          hint={t('login.token.hint')}
          end={<button type="button" class="icon-button" aria-label={t(shown ? 'login.token.hide' : 'login.token.show')} aria-pressed={shown} onClick={() => setShown(!shown)}><Icon name="eye" /></button>} />
        <Button kind="primary" type="submit" busy={busy}>{t('login.connect')}</Button>
      </form>
      {known.length > 0
        ? <section aria-labelledby="recent">
            <h2 id="recent">{t('login.recent')}</h2>
            <ul class="recent">
              {known.map((item) => <li key={item.base}><button type="button" onClick={() => { changeBase(item.base); tokenInput.current?.focus() }}>{item.label ? <span>{item.label}</span> : null}<code>{item.base}</code></button></li>)}
            </ul>
          </section>
        : null}
      {document.documentElement.dataset['storage'] === 'off' ? <Notice tone="warn" title={t('login.storage')} /> : null}
    </main>
  )
}

interface FindingProps { readonly verdict: Verdict | 'checking' | undefined; readonly base: string; readonly onTry: (base: string) => void }

function Finding({ verdict, base, onTry }: FindingProps) {
  const content = verdict === undefined
    ? t('login.base.hint')
    : verdict === 'checking'
      ? t('login.checking')
      : <><Badge tone={verdict.tone} shape={verdict.tone === 'ok' ? 'full' : verdict.tone === 'warn' ? 'half' : 'ring'}>{t(verdict.title)}</Badge> {verdict.text ? t(verdict.text, verdict.values) : null}</>
  const refused = typeof verdict === 'object' && verdict.title === 'login.refused'
  const usual = refused ? usualPort(base, DEFAULT_HTTP_PORT) : undefined
  return (
    <div class={refused ? 'finding wrong' : 'finding'}>
      <span role="status">{content}</span>
      {usual ? <p><Button kind="quiet" onClick={() => onTry(usual)}>{t('login.tryPort', { base: usual })}</Button></p> : null}
      {refused ? <p class="row">{t('login.startIt')} <code>mynah start</code><Copy text="mynah start" label={t('copy')} /></p> : null}
    </div>
  )
}
