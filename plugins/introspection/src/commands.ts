import type { HostControl } from '@mynah/kernel'
import type { IntrospectionResource } from '@mynah/contract'
import { defineCommand, inLanguages, param, type Command } from '@mynah/plugin-chat/api'
import type { Items, Resources } from './resources.js'

const line: { readonly [R in IntrospectionResource]: (item: Items[R], texts: Texts) => string } = {
  commands: (item) => `${item.pattern} – ${item.desc}${item.plugin ? ` (${item.plugin})` : ''}`,
  endpoints: (item) => `${item.online ? '●' : '○'} ${item.adapter}/${item.name}`,
  bindings: ({ name, provider, model, mcpServers }) =>
    `${name}: ${provider}/${model}${mcpServers.length ? `, MCP ${mcpServers.join(', ')}` : ''}`,
  tools: (item) => `${item.name}${item.source ? ` [${item.source}]` : ''} – ${item.description}`,
  mcp: (item, { tools }) => `${item.connected ? '●' : '○'} ${item.name}, ${tools(item.toolCount)}`,
}

const en = {
  none: 'Nothing there.',
  page: (page: number, pages: number, total: number) => `page ${page} of ${pages}, ${total} in all`,
  tools: (count: number) => `${count} ${count === 1 ? 'tool' : 'tools'}`,
  runsSince: (time: string) => `The host has been running since ${time} UTC.`,
}
type Texts = typeof en
const textsFor = inLanguages<Texts>({
  en,
  'zh-CN': {
    none: '没有内容。',
    page: (page, pages, total) => `第 ${page}/${pages} 页，共 ${total} 项`,
    tools: (count) => `${count} 个工具`,
    runsSince: (time) => `主机自 ${time} UTC 起运行。`,
  },
})

/** Splits `[filter] [page]`: a last word of digits is the page. */
export function filterAndPage(text: string | undefined): { filter?: string; page?: number } {
  const whole = text?.trim() ?? ''
  // Without a regular expression, which would take quadratic time for a long text.
  let start = whole.length
  while (start > 0 && /\d/.test(whole[start - 1] as string)) start--
  const digits = whole.length - start
  const isPage = digits > 0 && digits <= 9 && (start === 0 || /\s/.test(whole[start - 1] as string))
  const filter = isPage ? whole.slice(0, start).trimEnd() : whole
  const page = isPage ? whole.slice(start) : ''
  return { ...(filter ? { filter } : {}), ...(page && Number(page) > 0 ? { page: Number(page) } : {}) }
}

function command<R extends IntrospectionResource>(
  name: string,
  resource: R,
  description: Command['description'],
  resources: Resources,
): Command {
  return defineCommand({
    name,
    description,
    requiredAnyRole: ['master', 'trusted'],
    args: { query: param.rest({ optional: true, description: { en: '[filter] [page]', 'zh-CN': '[筛选] [页码]' } }) },
    run({ args, message }) {
      const { items, page, totalPages, total, note } = resources.page(resource, {
        ...filterAndPage(args.query),
        locale: message.locale,
      })
      const texts = textsFor(message.locale)
      return [
        ...(items.length ? items.map((item) => line[resource](item, texts)) : [texts.none]),
        ...(note ? [note] : []),
        ...(totalPages > 1 ? [texts.page(page, totalPages, total)] : []),
      ].join('\n')
    },
  })
}

const uptime = (host: HostControl): Command =>
  defineCommand({
    name: 'uptime',
    description: { en: 'Shows since when the host runs', 'zh-CN': '显示主机的启动时间' },
    requiredAnyRole: ['master', 'trusted'],
    run: ({ message }) =>
      textsFor(message.locale).runsSince(new Date(host.startedAt).toISOString().slice(0, 19).replace('T', ' ')),
  })

/** Returns the commands `/cmd`, `/endpoints`, `/bindings`, `/tools`, `/mcp` and `/uptime`. */
export function introspectionCommands(resources: Resources, host: HostControl): Command[] {
  return [
    command('cmd', 'commands', { en: 'Commands of this bot', 'zh-CN': '机器人的命令' }, resources),
    command('endpoints', 'endpoints', { en: 'Endpoints of this host', 'zh-CN': '主机的接入点' }, resources),
    command('bindings', 'bindings', { en: 'Agents and their models', 'zh-CN': '智能体与模型' }, resources),
    command('tools', 'tools', { en: 'Tools of the agent', 'zh-CN': '智能体的工具' }, resources),
    command('mcp', 'mcp', { en: 'MCP servers', 'zh-CN': 'MCP 服务器' }, resources),
    uptime(host),
  ]
}
