import { resolve } from 'node:path'
import { definePlugin, HostPaths, ref } from '@mynah/kernel'
import {
  agentFolder,
  KeptResults,
  Models,
  toolPolicies,
  tools,
  Web,
  type Tool,
  type ToolCall,
} from '@mynah/plugin-ai/api'
import { Chat } from '@mynah/plugin-chat/api'
import { Approvals, ExecSecurity } from '@mynah/plugin-exec-security/api'
import { bash } from './bash.js'
import { claims, configuredRoles, DEFAULT_ROLES, defaultRoles, type ToolName } from './config.js'
import { fileTools } from './files.js'
import { generateImage } from './generate-image.js'
import { Results } from './results.js'
import { searchFiles } from './search-files.js'
import { UnknownToolCheck } from './unknown-tools.js'
import { webFetch } from './web-fetch.js'
import { engineOf, webSearch } from './web-search.js'
import { Workspace } from './workspace.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export default definePlugin({
  name: 'toolbox',
  description: 'Tools of the agent: shell, files, web, pictures',
  descriptions: { 'zh-CN': '智能体的工具：命令、文件、网络、图片' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: {
    paths: ref(HostPaths),
    exec: ref(ExecSecurity),
    approvals: ref(Approvals),
    models: ref(Models),
    web: ref(Web),
    chat: ref(Chat),
  },
  provides: [KeptResults],
  setup(ctx) {
    const { clock, log, exec, approvals, models, web, chat } = ctx
    const root = ctx.paths.current?.root ?? resolve('.')
    const data = ctx.paths.current?.data ?? resolve('data')
    let config = ctx.config['ai.toolbox']
    /** The folder of an agent with conversations of its own is below that of the others. */
    const workspaceOf = ({ origin }: Pick<ToolCall, 'origin'>): Workspace =>
      new Workspace(resolve(root, config.root), data, agentFolder(origin))
    const results = new Results(workspaceOf, clock, log)

    const createTools = (): Tool[] => {
      const roles = (tool: ToolName): { readonly requiredAnyRole?: readonly string[] } => {
        const needed = defaultRoles(tool)
        return needed ? { requiredAnyRole: needed } : {}
      }
      const engine = engineOf(config.search)
      return [
        bash({
          exec: () => exec.current,
          approvals: () => approvals.current,
          chat: () => chat.current,
          workspace: workspaceOf,
          results,
          now: () => clock.now(),
          roles: defaultRoles('bash'),
        }),
        ...fileTools({ workspace: workspaceOf, roles }),
        searchFiles({ workspace: workspaceOf, ...roles('search_files') }),
        webFetch({ web: () => web.current, ...roles('web_fetch') }),
        ...(engine ? [webSearch({ engine, ...roles('web_search') })] : []),
        generateImage({
          models: () => models.current,
          chat: () => chat.current,
          workspace: workspaceOf,
          ...roles('generate_image'),
        }),
      ]
    }
    /** Returns the key of a tool's settings. Only tools with a changed key are offered again; other calls go on. */
    const settingsKey = (name: ToolName): string => JSON.stringify(name === 'web_search' ? config.search : null)
    const offered = new Map<string, { readonly key: string; readonly withdraw: () => unknown }>()
    const offer = (): void => {
      const wanted = new Map(createTools().map((tool) => [tool.name, tool]))
      for (const name of Object.keys(DEFAULT_ROLES) as ToolName[]) {
        const known = offered.get(name)
        const tool = wanted.get(name)
        const key = settingsKey(name)
        if (known && (!tool || known.key !== key)) {
          known.withdraw()
          offered.delete(name)
        }
        if (tool && !offered.has(name)) offered.set(name, { key, withdraw: ctx.contribute(tools, tool) })
      }
    }
    offer()
    ctx.contribute(toolPolicies, { name: 'toolbox', roles: ({ name }) => configuredRoles(config, name) })
    const unknown = new UnknownToolCheck({ tools: ctx.read(tools), clock, log })
    ctx.onDispose('check', () => unknown.stop())
    unknown.start(Object.keys(config.roles))
    ctx.provide(KeptResults, {
      async keep(text, call) {
        const needed = configuredRoles(config, 'read_file') ?? DEFAULT_ROLES.read_file
        return !needed.includes('user') && !needed.some((role) => call.roles.has(role))
          ? undefined
          : results.keep(text, call)
      },
    })
    return {
      update(next) {
        config = next['ai.toolbox']
        offer()
        unknown.start(Object.keys(config.roles))
        return true
      },
    }
  },
})
