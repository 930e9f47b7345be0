import type { PathRules } from '../path-rules.js'
import { cutArg, type Arg } from '../words.js'

/** Whether a mount is a volume of its own, by its name. */
export const isVolume = ({ shape }: Arg, given: Arg): boolean =>
  /^[a-zA-Z\d][\w.-]*$/.test(shape) && !/(?:^|,)type=bind(?:,|$)/.test(given.shape)

/** Returns the path on this machine in the value of a mount option. */
export function mountSource(arg: Arg): Arg {
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
