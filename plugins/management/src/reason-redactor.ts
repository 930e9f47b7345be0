import { pathRedactor, type HostControl } from '@mynah/kernel'

/** Characters of a reason that are shown. */
const MAX_REASON = 1_000

/** Returns a function that redacts paths and secrets and limits the length of a reason, such as that of a plugin. */
export function reasonRedactor(host: Pick<HostControl, 'redact'>, root: string | undefined): (text: string) => string {
  const redactPaths = pathRedactor(root)
  return (text) => {
    const short = redactPaths(host.redact(text))
    return short.length > MAX_REASON ? `${short.slice(0, MAX_REASON)}…` : short
  }
}
