import { CONTRACT_VERSION } from '@mynah/contract/wire'
import { createClient, probe, type ConnectionStorage } from '@mynah/sdk'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { connect, loginStart, type LoginStart } from '../../app/host.js'
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
import type { RefObject } from 'preact'
import type { KnownHost } from '../../lib/hosts.js'

const TYPING_MS = 350
/** Storage for trying a token: it must not change the stored one. */
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
  // Report an invalid address after the field is left, not while typing.
  const [left, setLeft] = useState(false)
  const tokenInput = useRef<HTMLInputElement>(null)
  const baseInput = useRef<HTMLInputElement>(null)

  useLayoutEffect(() => (base === '' ? baseInput : tokenInput).current?.focus(), [])
  useProbe({ base, round, onFound: setFound, onRound: setRound })

  // Not in the effect above, which may run after the field was left and would hide its error.
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
      <Top />
      <PageHead title={t('title')} />
      <StartNotice start={start} />
      <form class="panel" noValidate onSubmit={(event) => void submit(event)} aria-label={t('title')}>
        <AddressField
          inputRef={baseInput}
          onLeave={leaveBase}
          base={base}
          onChange={changeBase}
          left={left}
          found={found}
        />
        <TokenField
          shown={shown}
          token={token}
          onInput={setToken}
          inputRef={tokenInput}
          refused={refused}
          found={found}
          onShow={setShown}
        />
        <Button kind="primary" type="submit" busy={busy}>
          {t('connect')}
        </Button>
      </form>
      <RecentHosts known={known} onChoose={changeBase} tokenInput={tokenInput} />
      {document.documentElement.dataset['storage'] === 'off' ? <Notice tone="warn" title={t('storage')} /> : null}
    </main>
  )
}

interface StartNoticeProps {
  readonly start: LoginStart
}

function StartNotice({ start }: StartNoticeProps) {
  return start.reason ? (
    <Notice
      tone="warn"
      title={t(start.reason === 'link' && start.stored !== true ? 'start.linkOnly' : `start.${start.reason}`)}
    />
  ) : null
}

interface AddressFieldProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onLeave: (text: string) => void
  readonly base: string
  readonly onChange: (text: string) => void
  readonly left: boolean
  readonly found: Verdict | 'checking' | undefined
}

function AddressField({ inputRef, onLeave, base, onChange, left, found }: AddressFieldProps) {
  return (
    <div
      onFocusOut={({ target }) => {
        if (target instanceof HTMLInputElement && target === inputRef.current) onLeave(target.value)
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
        onInput={onChange}
        inputRef={inputRef}
        error={left ? addressProblem(base) : undefined}
        placeholder="http://127.0.0.1:8086"
        hint={<CheckResult verdict={found} onTry={onChange} base={completeBase(base)} />}
      />
    </div>
  )
}

interface RecentHostsProps {
  readonly known: KnownHost[]
  readonly onChoose: (text: string) => void
  readonly tokenInput: RefObject<HTMLInputElement | null>
}

function RecentHosts({ known, onChoose, tokenInput }: RecentHostsProps) {
  return known.length > 0 ? (
    <section aria-labelledby="recent">
      <h2 id="recent">{t('recent')}</h2>
      <ul class="recent">
        {known.map((item) => (
          <RecentHost
            key={item.base}
            host={item}
            onChoose={() => {
              onChoose(item.base)
              tokenInput.current?.focus()
            }}
          />
        ))}
      </ul>
    </section>
  ) : null
}

interface TokenFieldProps {
  readonly shown: boolean
  readonly token: string
  readonly onInput: (token: string) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly refused: Verdict | undefined
  readonly found: Verdict | 'checking' | undefined
  readonly onShow: (shown: boolean) => void
}

function TokenField({ shown, token, onInput, inputRef, refused, found, onShow }: TokenFieldProps) {
  return (
    <Field
      label={t('token')}
      name="token"
      type={shown ? 'text' : 'password'}
      autocomplete="current-password"
      mono
      required
      value={token}
      onInput={onInput}
      inputRef={inputRef}
      error={
        refused
          ? [t(refused.title), refused.text ? t(refused.text, refused.values) : '', refused.said ?? '']
              .filter(Boolean)
              .join('. ')
          : undefined
      }
      hint={typeof found === 'object' && found.step && token ? `${t('token.hint')}. ${t('remember')}` : t('token.hint')}
      end={
        <button
          type="button"
          class="icon-button"
          aria-label={t(shown ? 'token.hide' : 'token.show')}
          aria-pressed={shown}
          onClick={() => onShow(!shown)}
        >
          <Icon name="eye" />
        </button>
      }
    />
  )
}

function Top() {
  return (
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
  )
}

interface UseProbeInput {
  readonly base: string
  readonly round: number
  readonly onFound: (found: Verdict | 'checking' | undefined) => void
  readonly onRound: (round: number) => void
}

/** Checks the address while it is typed, and again while its host does not answer. */
function useProbe({ base, round, onFound, onRound }: UseProbeInput) {
  useEffect(() => {
    const address = completeBase(base)
    if (round === 0) onFound(isAddress(base) ? 'checking' : undefined)
    if (!isAddress(base)) return
    const controller = new AbortController()
    let timer = setTimeout(
      () => {
        probe(address, { signal: controller.signal }).then(
          (result) => {
            onFound(verdictOf(result, { origin: location.origin, contract: CONTRACT_VERSION }))
            // Probe again, in case the host is started meanwhile.
            if (!result.reachable) timer = setTimeout(() => onRound(round + 1), RETRY_MS)
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
}

function addressProblem(base: string): string | undefined {
  if (base.trim() === '') return t('base.needed')
  return isAddress(base) ? undefined : `${t('no.invalid-url')}. ${t('no.invalid-url.text')}`
}
