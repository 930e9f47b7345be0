/** Short names of the plugins of this project, whose packages are `@mynah/plugin-<name>`. A test compares them. */
export const OWN_PLUGINS: readonly string[] = [
  'adapter-irc',
  'adapter-sandbox',
  'adapter-telegram',
  'adapter-webhook',
  'agent',
  'ai',
  'assistant',
  'chat',
  'cluster',
  'console-rpc',
  'cron',
  'database',
  'entries',
  'events',
  'exec-security',
  'http-core',
  'inbox',
  'introspection',
  'logs',
  'management',
  'marketplace',
  'mcp',
  'memory',
  'renderer',
  'skills',
  'speech',
  'tasks',
  'toolbox',
  'workspace',
]

/** Returns the command that installs a plugin of this project, or undefined for another name. */
export const installCommandOf = (name: string): string | undefined =>
  OWN_PLUGINS.includes(name) ? `npm install @mynah/plugin-${name}` : undefined
