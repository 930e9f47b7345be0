// What of the machine a container is given.
import type { PathRules } from '../path-rules.js'
import { cutArg, displayShape, type Arg } from '../words.js'

/** A container may see the working directory and what it keeps itself; what gives it the machine needs the owner. */
export function denyMount(arg: Arg, name: string, paths: PathRules): string | undefined {
  const source = mountSource(arg)
  // A name is a volume of its own.
  if (isVolume(source, arg)) return undefined
  const problem =
    paths.deny(source, 'tree') ??
    (paths.isLocal(source) ? undefined : `${displayShape(source)}, which is outside the working directory`)
  return problem === undefined ? undefined : `${name} would give the container ${problem}`
}

const isVolume = ({ shape }: Arg, given: Arg): boolean =>
  /^[a-zA-Z\d][\w.-]*$/.test(shape) && !/(?:^|,)type=bind(?:,|$)/.test(given.shape)

/** The path of the machine in what a container is given. */
function mountSource(arg: Arg): Arg {
  const named = /(?:^|,)(?:source|src)=([^,]*)/.exec(arg.shape)
  const at = named === null ? 0 : named.index + named[0].length - (named[1] ?? '').length
  const end =
    named === null
      ? arg.shape.includes(':')
        ? arg.shape.indexOf(':')
        : arg.shape.length
      : at + (named[1] ?? '').length
  const source = cutArg(
    {
      ...arg,
      shape: arg.shape.slice(0, end),
      pattern: arg.pattern.length === arg.shape.length ? arg.pattern.slice(0, end) : arg.shape.slice(0, end),
    },
    at,
  )
  return source
}

/** Why a container would be given what decides over the host, in any mode, or undefined. */
export function denyProtectedMount(arg: Arg, paths: PathRules): string | undefined {
  const source = mountSource(arg)
  return isVolume(source, arg) ? undefined : paths.denyProtected(source, 'tree')
}
