// Signing in: an address, a token, and what is known about both before and after trying.
import { CONTRACT_VERSION } from '@mynah/contract/wire'
import { createClient, probe, type ConnectionStorage } from '@mynah/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { connect, loginStart } from '../../app/host.js'
import { DisplayMenu } from '../../app/display-menu.js'
import { hosts } from '../../lib/preferences.js'
import { navigate } from '../../lib/router.js'
import { useStore } from '../../lib/use-store.js'
import { useDocumentTitle } from '../../lib/document-title.js'
import { Button, Field, Icon, Notice, PageHead } from '../../ui/index.js'
import { RETRY_MS, CheckResult } from './check-result.js'
import { completeBase, isAddress, refusalOf, verdictOf, type Verdict } from './model.js'
import '../../ui/parts/parts.css'
import './page.css'
import { RecentHost } from './recent.js'
import { t } from './texts.js'

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
  const [round, setRound] = useState(0)
  const [refused, setRefused] = useState<Verdict>()
  const [busy, setBusy] = useState(false)
  // An address is called wrong once somebody has gone on from it, not while it is typed.
  const [left, setLeft] = useState(false)
  const tokenInput = useRef<HTMLInputElement>(null)
  const baseInput = useRef<HTMLInputElement>(null)

  useEffect(() => (base === '' ? baseInput : tokenInput).current?.focus(), [])
  useEffect(() => {
    const address = completeBase(base)
    if (round === 0) setFound(isAddress(base) ? 'checking' : undefined)
    if (!isAddress(base)) return
    const controller = new AbortController()
    let timer = setTimeout(
      () => {
        probe(address, { signal: controller.signal }).then(
          (result) => {
            setFound(verdictOf(result, { origin: location.origin, contract: CONTRACT_VERSION }))
            // Whoever starts the host in the meantime need not come back and type.
            if (!result.reachable) timer = setTimeout(() => setRound(round + 1), RETRY_MS)
          },
          (error: unknown) => {
            if (!controller.signal.aborted) throw error
          },
        )
      },
      round === 0 ? TYPING_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [base, round])

  // Not in the effect above: that one may run after the field was left, and would take back what is said then.
  const changeBase = (text: string): void => {
    setBase(text)
    setRound(0)
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

  useDocumentTitle(t('title'))
  return (
    <main class="login">
      <div class="login-top">
        <span class="mark" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        <strong>Mynah</strong>
        <span class="grow" />
        <DisplayMenu />
      </div>
      <PageHead title={t('title')} />
      {start.reason ? (
        <Notice
          tone="warn"
          title={t(start.reason === 'link' && start.stored !== true ? 'start.linkOnly' : `start.${start.reason}`)}
        />
      ) : null}
      <form class="panel" noValidate onSubmit={(event) => void submit(event)} aria-label={t('title')}>
        <div
          onFocusOut={({ target }) => {
            if (target instanceof HTMLInputElement && target === baseInput.current) leaveBase(target.value)
          }}
        >
          <Field
            label={t('base')}
            name="base"
            type="text"
            autocomplete="url"
            mono
            required
            value={base}
            onInput={changeBase}
            inputRef={baseInput}
            error={left ? addressProblem(base) : undefined}
            placeholder="http://127.0.0.1:8086"
            hint={<CheckResult verdict={found} onTry={changeBase} base={completeBase(base)} />}
          />
        </div>
        <Field
          label={t('token')}
          name="token"
          type={shown ? 'text' : 'password'}
          autocomplete="current-password"
          mono
          required
          value={token}
          onInput={setToken}
          inputRef={tokenInput}
          error={
            refused
              ? [t(refused.title), refused.text ? t(refused.text, refused.values) : '', refused.said ?? '']
                  .filter(Boolean)
                  .join('. ')
              : undefined
          }
          hint={
            typeof found === 'object' && found.step && token ? `${t('token.hint')}. ${t('remember')}` : t('token.hint')
          }
          end={
            <button
              type="button"
              class="icon-button"
              aria-label={t(shown ? 'token.hide' : 'token.show')}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              <Icon name="eye" />
            </button>
          }
        />
        <Button kind="primary" type="submit" busy={busy}>
          {t('connect')}
        </Button>
      </form>
      {known.length > 0 ? (
        <section aria-labelledby="recent">
          <h2 id="recent">{t('recent')}</h2>
          <ul class="recent">
            {known.map((item) => (
              <RecentHost
                key={item.base}
                host={item}
                onChoose={() => {
                  changeBase(item.base)
                  tokenInput.current?.focus()
                }}
              />
            ))}
          </ul>
        </section>
      ) : null}
      {document.documentElement.dataset['storage'] === 'off' ? <Notice tone="warn" title={t('storage')} /> : null}
    </main>
  )
}

function addressProblem(base: string): string | undefined {
  if (base.trim() === '') return t('base.needed')
  return isAddress(base) ? undefined : `${t('no.invalid-url')}. ${t('no.invalid-url.text')}`
}
