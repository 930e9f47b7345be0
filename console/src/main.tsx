// Starts the console.
// compat changes how inputs behave, so that it is there from the beginning and not with the first entry.
import 'preact/compat'
import { loadConnection, readLink } from '@mynah/sdk'
import { render } from 'preact'
import './styles/layers.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/ui.css'
import './styles/shell.css'
import { App } from './app/app.js'
import { connect, connection, loginStart, watchAuthentication } from './app/host.js'
import { trackElements } from './entries/shared-runtime.js'
import { startLocale } from './lib/i18n.js'
import { findRoute, isLocalTarget } from './lib/path.js'
import { setPages, startPage } from './lib/pages.js'
import { startRouter } from './lib/router.js'
import { pages } from './pages/registry.js'

trackElements()
setPages(pages)
await startLocale()

const link = __DEMO__ ? { href: location.href } : readLink(location.href)
if (link.href !== location.href) history.replaceState(null, '', link.href)
const { base, token } = loadConnection(link.base === undefined ? {} : { linkBase: link.base })
if (__DEMO__) connect(__DEMO_HOST__.base, __DEMO_HOST__.token, { remember: false })
else if (base && token) connect(base, token, { remember: false })
else {
  const target = location.pathname + location.search
  loginStart.set({
    ...(base ? { base } : {}),
    ...(link.base === undefined ? {} : { reason: 'link' as const, stored: loadConnection().token !== undefined }),
    ...(isLocalTarget(target) && location.pathname !== '/' ? { target } : {}),
  })
}

// The code of the page comes while the shell is made. Where it does not come, the page says so when it asks itself.
if (connection.get())
  findRoute(pages, location.pathname === '/' ? startPage : location.pathname)
    ?.route.load()
    .catch(() => undefined)

startRouter()
watchAuthentication()

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')
// A task of its own: running all modules is one already, and a slow processor answers between the two.
setTimeout(() => render(<App />, root))
