import type { HostControl } from '@mynah/kernel'

const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i

/** Returns the versions of the packages of running plugins by name. */
export function installedPackages(host: HostControl): Map<string, string> {
  const installed = new Map<string, string>()
  for (const { origin, version } of host.inspect()) {
    const name = origin?.filePath
    if (name && version && PACKAGE.test(name)) installed.set(name, version)
  }
  return installed
}
