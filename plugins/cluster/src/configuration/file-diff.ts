import { structuredPatch } from 'diff'
import { messageOf } from '@mynah/kernel'
import { configText, type SchemasByPath } from '@mynah/plugin-workspace/api'

const CONTEXT = 2
const MAX_LINES = 400
/** An answer to the command line has to fit in a line of 64 KB. */
const MAX_CHARACTERS = 40_000

/** Returns the lines of a diff between two texts of the configuration, with masked secrets. */
export async function fileDiff(before: string, after: string, schemas: SchemasByPath): Promise<string[]> {
  const { changedSecrets, parseYaml, maskYaml } = await configText()
  const secrets = changedSecrets(parseYaml(before), parseYaml(after), schemas).map(
    (path) => `! ${path}: the secret changes`,
  )
  return cut([...textDiff(before, after, (text) => maskYaml(text, schemas)), ...secrets])
}

function textDiff(before: string, after: string, mask: (text: string) => string): string[] {
  let masked: readonly [string, string]
  try {
    masked = [mask(before), mask(after)]
  } catch (error) {
    return [`! the lines that change cannot be shown: ${messageOf(error)}`]
  }
  const { hunks } = structuredPatch('', '', ...masked, '', '', { context: CONTEXT })
  return hunks.flatMap(({ oldStart, newStart, lines }) => [`@@ line ${oldStart} → ${newStart} @@`, ...lines])
}

function cut(lines: readonly string[]): string[] {
  let characters = 0
  const kept = lines.slice(0, MAX_LINES).filter(({ length }) => (characters += length) <= MAX_CHARACTERS)
  return kept.length === lines.length ? kept : [...kept, `… and ${lines.length - kept.length} lines more`]
}
