// For tests of plugins that ask a model: models that answer from a script and remember what they were asked.
export { scripted, scriptedModels, type ScriptedAnswer, type ScriptedModels } from './testing/scripted-models.js'
