// The plugin `skills`: skills, tools and presets that stand in files and change while the host runs.
import { join, resolve, sep } from 'node:path'
import { Type } from '@mynah/contract/type'
import { definePlugin, HostPaths, ref, messageOf } from '@mynah/kernel'
import { Agent, agentPresets, aiHook, promptSections, type AgentPreset } from '@mynah/plugin-agent/api'
import { defineTool, toolResult, tools, Web, type Tool } from '@mynah/plugin-ai/api'
import { claims } from './config.js'
import { parseTool } from './file-tool.js'
import { Files } from './files.js'
import { installSkill } from './install.js'
import { parsePreset } from './preset.js'
import { fitting, skillSections } from './sections.js'
import { instructions, parseSkill, type Skill } from './skill.js'
import { watchFolders } from './watch.js'

/** Where nothing is known of the model. */
const MANY_CHARS = 8_000

export default definePlugin({
  name: 'skills',
  description: 'Skills, tools and presets of the agent that stand in files',
  descriptions: { 'zh-CN': '来自文件的技能、工具与预设' },
  config: claims,
  needs: { paths: ref(HostPaths), web: ref(Web), agent: ref(Agent) },
  async setup(ctx) {
    const { log, agent, web } = ctx
    const root = resolve(ctx.paths.current?.root ?? '.', ctx.config['ai.skills'].root)
    /** Contributions by their files, taken back with them. */
    const contributed = <T>(contribute: (value: T) => () => unknown) => {
      const given = new Map<string, () => unknown>()
      return (path: string, value: T | undefined): void => {
        given.get(path)?.()
        given.delete(path)
        if (value !== undefined) given.set(path, contribute(value))
      }
    }
    const paths = new Map<string, string>()
    const skills = new Files<Skill>(
      {
        folder: join(root, 'skills'),
        fits: (path) => path.split(sep).length === 2 && path.endsWith(`${sep}SKILL.md`),
        parse: parseSkill,
        nameOf: ({ name }) => name,
        changed(path, skill) {
          for (const [name, at] of paths) if (at === path) paths.delete(name)
          if (skill) paths.set(skill.name, path)
        },
      },
      log,
    )
    const fileTools = new Files<Tool>(
      {
        folder: join(root, 'tools'),
        fits: (path) => path.endsWith('.tool.md'),
        parse: (text, path) => parseTool(text, path, join(root, 'tools')),
        nameOf: ({ name }) => name,
        changed: contributed((tool) => ctx.contribute(tools, tool)),
      },
      log,
    )
    const presets = new Files<AgentPreset>(
      {
        folder: join(root, 'agents'),
        fits: (path) => path.endsWith('.agent.md'),
        parse: parsePreset,
        nameOf: ({ name }) => name,
        changed: contributed((preset) => ctx.contribute(agentPresets, preset)),
      },
      log,
    )
    const kinds = [skills, fileTools, presets]

    const { sections, forget } = skillSections(() => skills.values())
    for (const section of sections) ctx.contribute(promptSections, section)
    ctx.on(aiHook('ai.session.new'), ({ sessionKey }) => {
      if (sessionKey !== undefined) forget(sessionKey)
    })
    ctx.contribute(
      tools,
      defineTool({
        name: 'activate_skill',
        description: 'Gives the instructions of a skill.',
        effect: 'read',
        keywords: ['skill', '技能'],
        parameters: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }),
        run({ name }, { turn }) {
          const all = skills.values()
          const skill =
            all.find((one) => one.name === name) ?? all.find((one) => one.name.toLowerCase() === name.toLowerCase())
          if (!skill) {
            const like = fitting(all, name)
              .slice(0, 5)
              .map((one) => one.name)
            return toolResult(`There is no skill "${name}".${like.length ? ` Like it: ${like.join(', ')}.` : ''}`, {
              isError: true,
            })
          }
          const facts = agent.current?.facts(turn)
          return instructions(skill, facts?.size ?? 'large', facts?.skillInstructionMaxChars ?? MANY_CHARS)
        },
      }),
    )
    ctx.contribute(
      tools,
      installSkill({
        web: () => web.current,
        folder: () => skills.folder,
        written: (path) => skills.reread(path),
        // As it is found: there are file systems for which two such names are one file.
        known: (name) => {
          const [, path] = Array.from(paths).find(([known]) => known.toLowerCase() === name.toLowerCase()) ?? []
          return path === undefined ? undefined : { path }
        },
      }),
    )

    // Watched before all is read, so that no change falls in between.
    const changed = (path: string): void => {
      const kind = kinds.find(({ folder }) => path.startsWith(folder + sep))
      void kind?.reread(path)
    }
    const stop = await watchFolders(
      kinds.map(({ folder }) => folder),
      changed,
      (error) => log.warn(`changes of skills are not seen: ${messageOf(error)}`),
    )
    ctx.onDispose('watching', stop)
    await Promise.all(kinds.map((kind) => kind.readAll()))
    return {
      // Another folder is another start.
      update: (next) => resolve(ctx.paths.current?.root ?? '.', next['ai.skills'].root) === root,
    }
  },
})
