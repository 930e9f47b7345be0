// Extracts the code of documentation pages as files.

/** Matches code blocks whose first line names their file. */
export function filesOf(text) {
  return Array.from(text.matchAll(/^```(?:ts|js)\n\/\/ (\S+\.[jt]s)\n([\s\S]*?)^```$/gm), ([, name, code]) => ({
    name,
    code,
  }))
}
