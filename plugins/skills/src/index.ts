import { join, resolve, sep } from 'node:path'
import { definePlugin, HostPaths, ref, messageOf } from '@mynah/kernel'
import { Agent, agentPresets, aiHook, promptSections, type AgentPreset } from '@mynah/plugin-agent/api'
import { tools, Web, type Tool } from '@mynah/plugin-ai/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { activateSkill } from './activate.js'
import { claims } from './config.js'
import { parseTool } from './file-tool.js'
import { WatchedFiles } from './watched-files.js'
import { installSkill } from './install.js'
import { parsePreset } from './preset.js'
import { SkillSections } from './sections.js'
import { parseSkill, type Skill } from './skill.js'
import { watchFolders } from './watch.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export default definePlugin({
  name: 'skills',
  description: 'Skills, tools and presets of the agent in files',
  descriptions: { 'zh-CN': '来自文件的技能、工具与预设' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: { paths: ref(HostPaths), web: ref(Web), agent: ref(Agent), approvals: ref(Approvals) },
  async setup(ctx) {
    const { log, agent, web } = ctx
    const root = resolve(ctx.paths.current?.root ?? '.', ctx.config['ai.skills'].root)
    /** Contributes the value of each file while the file exists. */
    const contributed = <T>(contribute: (value: T) => () => unknown) => {
      const withdrawals = new Map<string, () => unknown>()
      return (path: string, value: T | undefined): void => {
        withdrawals.get(path)?.()
        withdrawals.delete(path)
        if (value !== undefined) withdrawals.set(path, contribute(value))
      }
    }
    /** Files of skills by name. */
    const paths = new Map<string, string>()
    const skills = new WatchedFiles<Skill>(
      {
        folder: join(root, 'skills'),
        matches: (path) => path.split(sep).length === 2 && path.endsWith(`${sep}SKILL.md`),
        parse: parseSkill,
        nameOf: ({ name }) => name,
        onChange(path, skill) {
          for (const [name, at] of paths) if (at === path) paths.delete(name)
          if (skill) paths.set(skill.name, path)
        },
      },
      log,
    )
    const fileTools = new WatchedFiles<Tool>(
      {
        folder: join(root, 'tools'),
        matches: (path) => path.endsWith('.tool.md'),
        parse: (text, path) => parseTool(text, path, join(root, 'tools')),
        nameOf: ({ name }) => name,
        onChange: contributed((tool) => ctx.contribute(tools, tool)),
      },
      log,
    )
    const presets = new WatchedFiles<AgentPreset>(
      {
        folder: join(root, 'agents'),
        matches: (path) => path.endsWith('.agent.md'),
        parse: parsePreset,
        nameOf: ({ name }) => name,
        onChange: contributed((preset) => ctx.contribute(agentPresets, preset)),
      },
      log,
    )
    const kinds = [skills, fileTools, presets]

    const sections = new SkillSections(() => skills.values())
    for (const section of sections.sections) ctx.contribute(promptSections, section)
    ctx.on(aiHook('ai.session.new'), ({ sessionKey }) => {
      if (sessionKey !== undefined) sections.forget(sessionKey)
    })
    ctx.contribute(
      tools,
      activateSkill(() => skills.values(), agent),
    )
    ctx.contribute(
      tools,
      installSkill(web, ctx.approvals, {
        path: skills.folder,
        reload: (path) => skills.reread(path),
        // Names are compared without case, because some file systems ignore it.
        find: (name) => Array.from(paths).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1],
      }),
    )

    // Watch before reading, so that no change is missed.
    const changed = (path: string): void => {
      const kind = kinds.find(({ folder }) => path.startsWith(folder + sep))
      void kind?.reread(path)
    }
    const stop = await watchFolders(
      kinds.map(({ folder }) => folder),
      changed,
      (error) => log.warn(`failed to watch the files of skills: ${messageOf(error)}`),
    )
    ctx.onDispose('watching', stop)
    await Promise.all(kinds.map((kind) => kind.readAll()))
    return {
      // Another folder needs a restart of the plugin.
      update: (next) => resolve(ctx.paths.current?.root ?? '.', next['ai.skills'].root) === root,
    }
  },
})
