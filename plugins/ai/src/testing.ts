// Scripted models that record their requests, for tests of plugins that ask models.
export { scripted, scriptedModels, type ScriptedAnswer, type ScriptedModels } from './testing/scripted-models.js'
