import { BUILDERS } from '../manuals/builders.js'
import { COMPILERS } from '../manuals/compilers.js'
import { DEVELOPMENT } from '../manuals/development.js'
import { FILES } from '../manuals/files.js'
import { GIT } from '../manuals/git.js'
import { MACHINE } from '../manuals/machine.js'
import { NETWORK } from '../manuals/network.js'
import { PACKAGES } from '../manuals/packages.js'
import { READONLY } from '../manuals/readonly.js'
import { SERVICES } from '../manuals/services.js'
import { WRAPPERS } from '../manuals/wrappers.js'
import { parseManual } from './manual.js'
import type { ProgramSpec } from './program-spec.js'

export type { ProgramSpec } from './program-spec.js'

/** The manuals of all programs but wrappers. A program has a block in one of them. */
export const MANUALS: readonly string[] = [
  READONLY,
  FILES,
  MACHINE,
  NETWORK,
  GIT,
  PACKAGES,
  DEVELOPMENT,
  BUILDERS,
  COMPILERS,
  SERVICES,
]

const parsed = new Map<string, ReadonlyMap<string, ProgramSpec>>()

/** Returns the description of a program. A manual is parsed when a program that it may describe is looked up. */
export function programSpec(name: string): ProgramSpec | undefined {
  for (const manual of MANUALS) {
    const spec = mayDescribe(manual, name) ? specsOf(manual).get(name) : undefined
    if (spec !== undefined) return spec
  }
  return undefined
}

/** Returns the description of a command that runs the command in its own words. */
export function wrapperSpec(name: string): ProgramSpec | undefined {
  return specsOf(WRAPPERS).get(name)
}

/** Returns whether a text can be a name of a synopsis: at the margin, after another name or on the next line. */
function mayDescribe(manual: string, name: string): boolean {
  return [`\n${name}`, `|${name}`, `    ${name}`].some((text) => manual.includes(text))
}

function specsOf(manual: string): ReadonlyMap<string, ProgramSpec> {
  const specs = parsed.get(manual) ?? parseManual(manual)
  parsed.set(manual, specs)
  return specs
}
