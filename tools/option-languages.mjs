// Names the options of plugins whose description is not in all languages, and descriptions of options that are no more.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, workspaces } from './lib.mjs'

const LANGUAGES = ['zh-CN']

/** Compares the descriptions of the options of a plugin with those in a language. Returns the differences. */
export function differencesOf(described, texts = {}) {
  const paths = new Set(described.map(([path]) => path))
  return [
    ...[...paths].filter((path) => !texts[path]?.trim()).map((path) => `the option ${path} has no description`),
    ...Object.keys(texts)
      .filter((path) => !paths.has(path))
      .map((path) => `there is no option ${path}, or it has no English description`),
  ]
}

export async function optionLanguages() {
  const { claimsOf } = await import('@mynah/kernel')
  const { describedOptions } = await import(pathToFileURL(join(root, 'kernel/dist/config/option-descriptions.js')).href)
  const faults = []
  for (const folder of workspaces().filter((name) => name.startsWith('plugins/') && name !== 'plugins/mynah')) {
    const { default: plugin } = await import(pathToFileURL(join(root, folder, 'dist/index.js')).href)
    const described = claimsOf(plugin).flatMap(({ path, schema }) => describedOptions(path, schema))
    for (const language of LANGUAGES)
      for (const difference of differencesOf(described, plugin.optionDescriptions?.[language]))
        faults.push(`${folder}: ${difference} (${language})`)
  }
  return faults
}
