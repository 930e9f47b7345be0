// Starts the console.
// Load compat at the start: it changes how inputs behave, which must not happen when the first entry loads.
import 'preact/compat'
import { loadConnection } from '@mynah/sdk'
import { render } from 'preact'
import './styles/layers.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/ui.css'
import './styles/shell.css'
import { App } from './app/app.js'
import { connect, connection, loginStart, watchAuthentication } from './app/host.js'
import { openLink } from './app/open-link.js'
import { trackElements } from './entries/shared-runtime.js'
import { startLocale } from './lib/i18n.js'
import { findRoute, isLocalTarget } from './lib/path.js'
import { setPages, startPage } from './lib/pages.js'
import { startRouter } from './lib/router.js'
import { pages } from './pages/registry.js'

trackElements()
setPages(pages)
await startLocale()

const linkBase = __DEMO__ ? undefined : await openLink(location.href)
const { base, token } = loadConnection(linkBase === undefined ? {} : { linkBase })
if (__DEMO__) connect(__DEMO_HOST__.base, __DEMO_HOST__.token, { remember: false })
else if (base && token) connect(base, token, { remember: false })
else {
  const target = location.pathname + location.search
  loginStart.set({
    ...(base ? { base } : {}),
    ...(linkBase === undefined ? {} : { reason: 'link' as const, stored: loadConnection().token !== undefined }),
    ...(isLocalTarget(target) && location.pathname !== '/' ? { target } : {}),
  })
}

// Load the code of the page while the shell renders. The page itself reports a failure.
if (connection.get())
  findRoute(pages, location.pathname === '/' ? startPage : location.pathname)
    ?.route.load()
    .catch(() => undefined)

startRouter()
watchAuthentication()

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')
// Use a separate task, so that a slow processor can respond between running modules and rendering.
setTimeout(() => render(<App />, root))
