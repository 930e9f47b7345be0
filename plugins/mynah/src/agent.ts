// The agent's authoring API, where its package is installed: the service, prompt sections, presets, hooks.
import type * as Api from '@mynah/plugin-agent/api'
import { optional } from './optional.js'

const api = (await optional('@mynah/plugin-agent')) as unknown as typeof Api

export const { Agent, agentPresets, aiHook, beforeCompaction, promptSections, registerAIHook, Speech } = api

export type Agent = Api.Agent
export type Speech = Api.Speech
export type {
  AgentAnswer,
  AgentPreset,
  AgentRequest,
  AIHookName,
  AIHooks,
  ContextTransform,
  PromptContext,
  PromptSection,
  Recording,
  SectionFile,
  SectionSources,
  SectionText,
  SpeechOptions,
  TurnState,
  TurnView,
} from '@mynah/plugin-agent/api'
