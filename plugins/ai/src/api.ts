// The interface for other plugins: the services, the point of tools, the loop, and the messages of models.
export * from './api/messages.js'
export * from './api/errors.js'
export * from './api/models.js'
export * from './api/model-servers.js'
export { takesThinking, THINKING_LEVELS, type ThinkingLevel } from './api/thinking.js'
export { addUsage, NO_USAGE } from './api/usage.js'
export * from './api/tools.js'
export { readToolSchema } from './tool-schema/read-tool-schema.js'
export { UnusableSchema } from './tool-schema/unusable-schema.js'
export * from './api/tool-policies.js'
export * from './api/kept-results.js'
export { Deadline } from './api/deadline.js'
export * from './api/outside.js'
export * from './api/web.js'
export * from './api/loop.js'
export { encodingOf, textIn, type TextEncoding } from './api/text-encoding.js'
export { agentLoop } from './loop/lazy-loop.js'
export {
  ModelRegistry,
  type RegisteredModel,
  type RegisteredProvider,
  type RegistryOptions,
} from './registry/registry.js'
export { billionsOf } from './registry/score.js'
export type { FamilyName, ProviderConfig } from './config.js'
