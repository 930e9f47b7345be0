import type { PathRules } from '../path-rules.js'
import { cutArg, displayShape, type Arg } from '../words.js'

/** Returns why a container may not mount a path. It may see the working directory and its own volumes. */
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

/** Returns the path on this machine in the value of a mount option. */
function mountSource(arg: Arg): Arg {
  const named = /(?:^|,)(?:source|src)=([^,]*)/.exec(arg.shape)
  const length = (named?.[1] ?? '').length
  const at = named === null ? 0 : named.index + named[0].length - length
  const colon = arg.shape.indexOf(':')
  const unnamedEnd = colon < 0 ? arg.shape.length : colon
  const end = named === null ? unnamedEnd : at + length
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

/** Returns why a container would see protected files of the host, in any mode. */
export function denyProtectedMount(arg: Arg, paths: PathRules): string | undefined {
  const source = mountSource(arg)
  return isVolume(source, arg) ? undefined : paths.denyProtected(source, 'tree')
}
