// The code on documentation pages, as files.

/** Code blocks of a language whose first line names their file. */
export function filesOf(text) {
  return Array.from(text.matchAll(/^```(?:ts|js)\n\/\/ (\S+\.[jt]s)\n([\s\S]*?)^```$/gm), ([, name, code]) => ({
    name,
    code,
  }))
}
