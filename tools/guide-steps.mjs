// Follows the steps of a guide: installs, writes and configures in a folder what its first section says.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { filesIn, root } from './lib.mjs'

const GUIDES = join(root, 'docs', 'guides')
const BLOCK = /^( *)```(\w+)\n([\s\S]*?)^ *```$/gm
/** The end of the sentence before a block that names the file to write. */
const FILE = /`([\w./-]{1,100})`:\n\n$/

/** Returns the names of the guides in English. */
export const guides = () =>
  filesIn(GUIDES, (file) => /^[\w-]+\.md$/.test(file)).map((file) => file.replace(/\.md$/, ''))

/** Returns the text of a guide. */
export const guideText = (name, language = '') => readFileSync(join(GUIDES, language, `${name}.md`), 'utf8')

/** Returns the section of a page with the quickest way. */
export const quickestWay = (text) =>
  text.split('\n## ').find((section) => section.startsWith('The quickest way\n')) ?? ''

/** Returns the blocks of a text with their language, their code, and the file that the sentence before them names. */
export function blocksOf(text) {
  return Array.from(text.matchAll(BLOCK), ({ 1: indent, 2: language, 3: code, index }) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    file: FILE.exec(text.slice(0, index))?.[1],
  }))
}

/** Returns the names of all packages that the blocks install. */
export const installedBy = (blocks) =>
  blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => Array.from(code.matchAll(/^npm install (.+)$/gm), ([, words]) => words.split(' ')).flat())

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Puts a part of a configuration into a whole one. */
export function merged(whole, part) {
  const pairs = Object.entries(part).map(([key, value]) => [
    key,
    isMap(value) && isMap(whole[key]) ? merged(whole[key], value) : value,
  ])
  return { ...whole, ...Object.fromEntries(pairs) }
}

/**
 * Makes the bot of a guide in a folder: a bot with the given configuration, and the steps of the quickest way.
 *
 * @throws Error where a package that is installed does not exist
 */
export function followGuide(name, folder, bot) {
  const blocks = blocksOf(quickestWay(guideText(name)))
  const packages = installedBy(blocks)
  for (const one of packages)
    if (!existsSync(join(root, 'node_modules', one))) throw new Error(`${name} installs ${one}, which does not exist`)
  const named = packages.filter((one) => one.startsWith('@mynah/plugin-')).map((one) => one.slice(14))
  const parts = blocks.filter(({ language }) => language === 'yaml').map(({ code }) => parse(code))
  const whole = parts.reduce(merged, bot)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'mynah.config.yml'),
    stringify({ ...whole, plugins: Array.from(new Set([...bot.plugins, ...named])) }),
  )
  for (const { file, code } of blocks.filter((block) => block.file?.includes('.'))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
}
