// Exceptions of the checks of lines and words: tools/lint-exceptions.json names file, text and reason of each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib.mjs'

/**
 * Removes the findings that an exception covers: same file, and the line contains its text.
 * Adds a finding for each exception without a reason, and for each that covers nothing in the files that were checked.
 */
export function withoutExceptions(findings, exceptions, isChecked = () => true) {
  const used = new Set()
  const left = findings.filter((finding) => {
    const covering = exceptions.filter(({ file, text }) => file === finding.file && finding.source.includes(text))
    for (const exception of covering) used.add(exception)
    return covering.length === 0
  })
  const faults = exceptions
    .filter((exception) => isChecked(exception.file))
    .flatMap((exception) => [
      ...(exception.reason ? [] : [`lint-exceptions.json: "${exception.text}" has no reason`]),
      ...(used.has(exception) ? [] : [`lint-exceptions.json: "${exception.text}" covers nothing in ${exception.file}`]),
    ])
  return [...left.map(({ file, line, message }) => `${file}:${line}: ${message}`), ...faults]
}

/** Returns the exceptions of a check. */
export const exceptionsOf = (check) => JSON.parse(readFileSync(join(root, 'tools/lint-exceptions.json'), 'utf8'))[check]

/** Returns whether `file` is in one of `folders`; every file is where no folder is given. */
export const isIn = (folders) => (file) =>
  folders.length === 0 || folders.some((folder) => file === folder || file.startsWith(`${folder.replace(/\/$/, '')}/`))
