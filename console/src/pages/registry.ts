// The built-in pages: where they are, where they stand in the rail, how their code is loaded.
import type { BuiltInPage } from '../lib/pages.js'

export const pages: readonly BuiltInPage[] = [
  {
    path: '/dashboard',
    name: 'page.dashboard',
    load: () => import('./dashboard/index.js').then((module) => module.DashboardPage),
    menu: { group: 'operate', order: 10, icon: 'dashboard', key: 'd' },
  },
  {
    path: '/plugins',
    name: 'page.plugins',
    load: () => import('./plugins/index.js').then((module) => module.PluginsPage),
    menu: { group: 'configure', order: 10, icon: 'plugins', key: 'p' },
  },
  {
    path: '/plugins/:name',
    name: 'page.plugins',
    load: () => import('./plugins/detail.js').then((module) => module.PluginPage),
    above: '/plugins',
  },
  {
    path: '/endpoints',
    name: 'page.endpoints',
    load: () => import('./endpoints/index.js').then((module) => module.EndpointsPage),
    menu: { group: 'operate', order: 20, icon: 'endpoints', key: 'e', needs: 'endpoint:list' },
  },
  {
    path: '/endpoints/:adapter/:endpointId',
    name: 'page.endpoints',
    load: () => import('./endpoints/detail.js').then((module) => module.EndpointPage),
    above: '/endpoints',
  },
  {
    path: '/inbox',
    name: 'page.inbox',
    load: () => import('./inbox/index.js').then((module) => module.InboxPage),
    menu: { group: 'operate', order: 30, icon: 'inbox', key: 'i', needs: 'endpoint:inboxMessages' },
  },
  {
    path: '/logs',
    name: 'page.logs',
    load: () => import('./logs/index.js').then((module) => module.LogsPage),
    menu: { group: 'operate', order: 40, icon: 'logs', key: 'l', needs: 'GET /logs' },
  },
  {
    path: '/traces',
    name: 'page.traces',
    load: () => import('./traces/index.js').then((module) => module.TracesPage),
    menu: { group: 'operate', order: 50, icon: 'traces', key: 't', needs: 'chat:traces' },
  },
  {
    path: '/cron',
    name: 'page.cron',
    load: () => import('./cron/index.js').then((module) => module.CronPage),
    menu: { group: 'operate', order: 60, icon: 'cron', key: 'c', needs: 'cron:list' },
  },
  {
    path: '/cron/new',
    name: 'page.cron.new',
    load: () => import('./cron/edit.js').then((module) => module.CronEditPage),
    above: '/cron',
  },
  {
    path: '/cron/:id',
    name: 'page.cron',
    load: () => import('./cron/edit.js').then((module) => module.CronEditPage),
    above: '/cron',
  },
  {
    path: '/config',
    name: 'page.config',
    load: () => import('./config/index.js').then((module) => module.ConfigPage),
    menu: { group: 'configure', order: 20, icon: 'config', key: 'o', needs: 'config:get-all' },
  },
  {
    path: '/files',
    name: 'page.files',
    load: () => import('./files/index.js').then((module) => module.FilesPage),
    menu: { group: 'configure', order: 30, icon: 'files', key: 'f', needs: 'files:tree' },
  },
  {
    path: '/env',
    name: 'page.env',
    load: () => import('./files/env.js').then((module) => module.EnvPage),
    menu: { group: 'configure', order: 40, icon: 'env', key: 'v', needs: 'env:list' },
  },
  {
    path: '/database',
    name: 'page.database',
    load: () => import('./database/index.js').then((module) => module.DatabasePage),
    menu: { group: 'configure', order: 50, icon: 'database', key: 'b', needs: 'db:tables' },
  },
  {
    path: '/marketplace',
    name: 'page.marketplace',
    load: () => import('./marketplace/index.js').then((module) => module.MarketplacePage),
    menu: { group: 'configure', order: 60, icon: 'marketplace', key: 'm', needs: 'GET /pub/marketplace/search' },
  },
  {
    path: '/marketplace/:name',
    name: 'page.marketplace',
    load: () => import('./marketplace/detail.js').then((module) => module.MarketplaceDetailPage),
    above: '/marketplace',
  },
  {
    path: '/agent/sessions',
    name: 'page.sessions',
    load: () => import('./sessions/index.js').then((module) => module.SessionsPage),
    menu: { group: 'agent', order: 10, icon: 'sessions', key: 's', needs: 'agent:sessions' },
  },
  {
    path: '/agent/tree',
    name: 'page.sessions',
    load: () => import('./sessions/index.js').then((module) => module.SessionsPage),
  },
  {
    path: '/agent/approvals',
    name: 'page.approvals',
    load: () => import('./approvals/index.js').then((module) => module.ApprovalsPage),
    menu: { group: 'agent', order: 20, icon: 'approvals', key: 'a', needs: 'exec:pending' },
  },
  {
    path: '/agent/models',
    name: 'page.models',
    load: () => import('./models/index.js').then((module) => module.ModelsPage),
    menu: { group: 'agent', order: 30, icon: 'models', key: 'x', needs: 'models:list' },
  },
  {
    path: '/introspection',
    name: 'page.introspection',
    load: () => import('./introspection/index.js').then((module) => module.IntrospectionPage),
    menu: { group: 'agent', order: 40, icon: 'introspection', key: 'n', needs: 'GET /introspection/commands' },
  },
  {
    path: '/introspection/:resource',
    name: 'page.introspection',
    load: () => import('./introspection/index.js').then((module) => module.IntrospectionPage),
    above: '/introspection',
  },
  {
    path: '/assistant/jobs',
    name: 'page.jobs',
    load: () => import('./jobs/index.js').then((module) => module.JobsPage),
    menu: { group: 'agent', order: 50, icon: 'jobs', key: 'j', needs: 'GET /assistant/jobs' },
  },
]
