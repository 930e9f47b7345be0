import { useEffect } from 'preact/hooks'
import { announcement } from '../lib/announce.js'
import { t, useLocale } from '../lib/i18n.js'
import { theme } from '../lib/preferences.js'
import { useStore } from '../lib/use-store.js'
import { EmptyState } from '../ui/notice.js'
import { Boundary } from './boundary.js'
import { connection } from './host.js'
import { LazyPage } from './lazy-page.js'
import { Shell } from './shell.js'
import { Toasts } from './toasts.js'

const loadLogin = () => import('../pages/login/index.js').then((module) => module.LoginPage)

export function App() {
  useLocale()
  const client = useStore(connection)
  const chosen = useStore(theme)
  const said = useStore(announcement)
  useEffect(() => {
    if (chosen === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = chosen
  }, [chosen])
  return (
    <>
      <Boundary
        fallback={(error) => (
          <main>
            <EmptyState title={t('page.failed')}>{error.message}</EmptyState>
          </main>
        )}
      >
        {client ? <Shell key={client.base} client={client} /> : <LazyPage load={loadLogin} props={{}} />}
      </Boundary>
      <Toasts />
      <div class="sr" role="status" aria-live="polite">
        {said}
      </div>
    </>
  )
}
