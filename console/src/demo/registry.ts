// The read-only pages of the demo. Pages that write are not in its build.
import type { BuiltInPage } from '../lib/pages.js'

export const pages: readonly BuiltInPage[] = [
  {
    path: '/dashboard',
    name: 'page.dashboard',
    load: () => import('../pages/dashboard/index.js').then((module) => module.DashboardPage),
    menu: { group: 'operate', order: 10, icon: 'dashboard', key: 'd' },
  },
  {
    path: '/plugins',
    name: 'page.plugins',
    load: () => import('../pages/plugins/index.js').then((module) => module.PluginsPage),
    menu: { group: 'configure', order: 10, icon: 'plugins', key: 'p' },
  },
  {
    path: '/plugins/:name',
    name: 'page.plugins',
    load: () => import('../pages/plugins/detail.js').then((module) => module.PluginPage),
    above: '/plugins',
  },
  {
    path: '/introspection',
    name: 'page.introspection',
    load: () => import('../pages/introspection/index.js').then((module) => module.IntrospectionPage),
    menu: { group: 'agent', order: 40, icon: 'introspection', key: 'n', needs: 'GET /introspection/commands' },
  },
  {
    path: '/introspection/:resource',
    name: 'page.introspection',
    load: () => import('../pages/introspection/index.js').then((module) => module.IntrospectionPage),
    above: '/introspection',
  },
]
